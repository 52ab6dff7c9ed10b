/// One thing that a storm does: deliver a callback somewhere, or move the world around it.
public struct StormStep: Sendable, Hashable {
  /// Where a callback is delivered.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// On the main queue, as work of its own.
    case main
    /// On the main queue, inside `main.sync` from another queue.
    case mainSync = "main.sync"
    /// On the main queue, inside another queue's `sync`.
    case queueOnMain = "queue.sync on main"
    /// On a serial queue.
    case queue
    /// On a serial queue, inside another queue's `sync`.
    case nestedQueue = "queue.sync"
    /// On a concurrent queue.
    case global
    /// On a thread outside Dispatch.
    case thread
    /// In a task of no actor.
    case task

    var isOnMain: Bool { [.main, .mainSync, .queueOnMain].contains(self) }
  }

  /// What a step does.
  public enum Action: Sendable, Hashable {
    /// Calls a callback back.
    case deliver(String, on: Place)
    /// Does what the scenario's action of that name says, on the main queue.
    case act(String)
    /// Does what `onCancel` says, on the main queue.
    case cancel
    /// Moves the app or service one step further in its life, on the main queue.
    case lifecycle(LifecycleDriver.Move)
  }

  /// How often and with what a callback is delivered.
  public enum Times: String, Sendable, Hashable, Codable, CaseIterable {
    case once
    /// Two times, one after the other, in the same place.
    case twice
    /// Two times at the same time: the second on a thread of its own. Of completions two different
    /// ones.
    case concurrently
  }

  /// What it does.
  public internal(set) var action: Action
  /// How often it does so.
  public internal(set) var times = Times.once
  /// Whether it delivers the newest of the completions that wait, rather than the oldest.
  public internal(set) var isNewest = false
  /// Milliseconds that pass before.
  public internal(set) var delay = 0
  /// Whether the main queue is busy: what the callback sends there waits for the next step that is
  /// not so.
  public internal(set) var whileMainIsBusy = false

  init(_ action: Action) { self.action = action }

  /// Whether it delivers a callback.
  var isDelivery: Bool {
    if case .deliver = action { return true }
    return false
  }
}

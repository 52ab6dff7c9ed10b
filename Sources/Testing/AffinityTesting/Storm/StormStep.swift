/// One step of a storm: a callback to deliver, an action, a cancel, or a lifecycle move.
public struct StormStep: Sendable, Hashable {
  /// The place where a callback is delivered.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// On the main queue, as a separate block.
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
    /// In a task without an actor.
    case task

    var isOnMain: Bool { [.main, .mainSync, .queueOnMain].contains(self) }
  }

  /// The action of a step.
  public enum Action: Sendable, Hashable {
    /// Calls the callback with this name, in this place.
    case deliver(String, on: Place)
    /// Runs the scenario's action with this name, on the main queue.
    case act(String)
    /// Runs `onCancel`, on the main queue.
    case cancel
    /// Makes a lifecycle move, on the main queue.
    case lifecycle(LifecycleDriver.Move)
  }

  /// The number of a step's deliveries, and whether two deliveries overlap.
  public enum Times: String, Sendable, Hashable, Codable, CaseIterable {
    case once
    /// Twice, one after the other, in the same place.
    case twice
    /// Twice at the same time, the second time on a separate thread. The second delivery is of the
    /// `partner` if there is a partner, and of a different handler for completion handlers.
    case concurrently
  }

  /// The action of the step.
  public internal(set) var action: Action
  /// The number of deliveries, and whether they overlap.
  public internal(set) var times = Times.once
  /// The other callback of a concurrent delivery; nil if the same callback is delivered twice.
  public internal(set) var partner: String?
  /// The order in which ready tasks run: 0 for first in, first out; any other number is the seed of
  /// a random order.
  public internal(set) var order: UInt32 = 0
  /// True if the step delivers the newest stored completion handler instead of the oldest.
  public internal(set) var isNewest = false
  /// The delay before the step, in milliseconds.
  public internal(set) var delay = 0
  /// True if the main queue is kept busy: work that the callback sends there waits for the next
  /// step in which this is false.
  public internal(set) var whileMainIsBusy = false

  init(_ action: Action) { self.action = action }

  /// The step without concurrency: two steps if the step has a partner.
  var inTurn: [StormStep] {
    guard times == .concurrently else { return [self] }
    var first = self
    first.partner = nil
    first.times = partner == nil ? .twice : .once
    guard let partner, case .deliver(_, let place) = action else { return [first] }
    var second = first
    second.action = .deliver(partner, on: place)
    return [first, second]
  }

  /// True if the step delivers a callback.
  var isDelivery: Bool {
    if case .deliver = action { return true }
    return false
  }
}

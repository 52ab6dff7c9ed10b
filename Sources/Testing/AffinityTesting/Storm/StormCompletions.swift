import Synchronization

/// Callbacks that the code under test has passed on, and that a storm has not delivered yet.
public final class StormCompletions: Sendable {
  private let waiting = Mutex<[StormCall]>([])

  init() {}

  /// Stores a callback until the storm delivers it.
  public func add(_ body: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(.plain(body)) }
  }

  /// Stores a callback that is isolated to the main actor until the storm delivers it.
  public func add(
    on actor: MainActor.Type = MainActor.self, _ body: @escaping @Sendable @MainActor () -> Void
  ) {
    add { () async in await body() }
  }

  /// Stores an asynchronous callback until the storm delivers it.
  public func add(_ body: @escaping @Sendable () async -> Void) {
    waiting.withLock { $0.append(.asynchronous(body)) }
  }

  /// The number of stored callbacks.
  public var count: Int { waiting.withLock { $0.count } }

  /// Removes and returns the callbacks of one delivery: two different ones for a concurrent
  /// delivery, one twice for a repeated delivery.
  func take(_ times: StormStep.Times, newest: Bool) -> [StormCall] {
    waiting.withLock { waiting in
      guard !waiting.isEmpty else { return [] }
      let first = newest ? waiting.removeLast() : waiting.removeFirst()
      switch times {
      case .once: return [first]
      case .twice: return [first, first]
      case .concurrently:
        return waiting.isEmpty
          ? [first] : [first, newest ? waiting.removeLast() : waiting.removeFirst()]
      }
    }
  }
}

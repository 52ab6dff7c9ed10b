import Synchronization

/// Callbacks that the code under test has passed on, and that a storm has not delivered yet.
public final class StormCompletions: Sendable {
  private let waiting = Mutex<[StormCall]>([])

  init() {}

  /// Keeps a callback until the storm delivers it.
  public func add(_ body: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(.plain(body)) }
  }

  /// Keeps a callback of the main actor's until the storm delivers it.
  public func add(
    on actor: MainActor.Type = MainActor.self, _ body: @escaping @Sendable @MainActor () -> Void
  ) {
    add { () async in await body() }
  }

  /// Keeps a callback that has to be awaited until the storm delivers it.
  public func add(_ body: @escaping @Sendable () async -> Void) {
    waiting.withLock { $0.append(.asynchronous(body)) }
  }

  /// How many are waiting to be delivered.
  public var count: Int { waiting.withLock { $0.count } }

  /// Takes the completions of one delivery: two different ones for a concurrent delivery, the same one twice
  /// for a repeated delivery.
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

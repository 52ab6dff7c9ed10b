import Synchronization

extension MainHop {
  /// Takes in a call that somebody waits for: `fallback` runs in its stead where nobody gets it.
  ///
  /// That is where the target is gone, or the hop cancelled. It too runs on the main queue, unless
  /// the hop delivers in place.
  public func send(
    _ call: @escaping @MainActor (Target) -> Void, orElse fallback: @escaping @Sendable () -> Void
  ) {
    let instead = HopFallback(fallback)
    send { target in
      instead.withdraw()
      call(target)
    }
  }
}

extension QueueHop {
  /// Takes in a call that somebody waits for: `fallback` runs in its stead where nobody gets it, as
  /// with `MainHop`.
  public func send(
    _ call: @escaping @Sendable (Target) -> Void, orElse fallback: @escaping @Sendable () -> Void
  ) {
    let instead = HopFallback(fallback)
    send { target in
      instead.withdraw()
      call(target)
    }
  }
}

/// What happens in a call's stead when the call is let go and did not run.
final class HopFallback: Sendable {
  private let body: @Sendable () -> Void
  private let isDue = Atomic<Bool>(true)

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func withdraw() { isDue.store(false, ordering: .relaxed) }

  deinit {
    if isDue.load(ordering: .relaxed) { body() }
  }
}

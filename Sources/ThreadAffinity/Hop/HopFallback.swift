import Synchronization

extension MainHop {
  /// Takes in a call that somebody waits for: `fallback` runs in its stead where nobody gets it.
  ///
  /// That is where the target is gone, or the hop cancelled. It too runs on the main queue, unless
  /// the hop delivers in place. It is handed over: the sender does not touch what it holds again.
  public func send(
    _ call: @escaping @MainActor (Target) -> Void, orElse fallback: @escaping () -> Void
  ) {
    // The sender keeps no reference: the last one ends on the way.
    send(HopFallback(fallback).unless(main: call))
  }
}

extension QueueHop {
  /// Takes in a call that somebody waits for: `fallback` runs in its stead where nobody gets it, as
  /// with `MainHop`.
  public func send(
    _ call: @escaping @Sendable (Target) -> Void, orElse fallback: @escaping () -> Void
  ) {
    // The sender keeps no reference: the last one ends on the way.
    send(HopFallback(fallback).unless(call))
  }
}

/// What happens in a call's stead when the call is let go and did not run.
final class HopFallback: Sendable {
  private let body: Handover<() -> Void>
  private let isDue = Atomic<Bool>(true)

  init(_ body: @escaping () -> Void) { self.body = Handover(body) }

  /// `call`, in whose stead the fallback happens.
  func unless<Target>(
    main call: @escaping @MainActor (Target) -> Void
  ) -> @MainActor (Target) -> Void {
    { target in
      self.isDue.store(false, ordering: .relaxed)
      call(target)
    }
  }

  /// `call`, in whose stead the fallback happens.
  func unless<Target>(
    _ call: @escaping @Sendable (Target) -> Void
  ) -> @Sendable (Target) -> Void {
    { target in
      self.isDue.store(false, ordering: .relaxed)
      call(target)
    }
  }

  deinit {
    if isDue.load(ordering: .relaxed) { body.value() }
  }
}

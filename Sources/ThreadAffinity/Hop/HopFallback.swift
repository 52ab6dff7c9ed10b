import Synchronization

extension MainHop {
  /// Takes in a call that somebody waits for: `fallback` runs instead when nobody receives it.
  ///
  /// That is where the target is gone, or the hop cancelled. It too runs on the main queue, unless
  /// the hop delivers in place. It is handed over: the sender does not touch what it holds again.
  public func send(
    _ call: @escaping @MainActor (Target) -> Void, orElse fallback: @escaping () -> Void
  ) {
    send(call, HopFallback(fallback))
  }
}

extension QueueHop {
  /// Takes in a call that somebody waits for: `fallback` runs instead when nobody receives it, as
  /// with `MainHop`.
  public func send(
    _ call: @escaping @Sendable (Target) -> Void, orElse fallback: @escaping () -> Void
  ) {
    send(call, HopFallback(fallback))
  }
}

/// What happens in a call's stead when the call did not run: where its arrival ends, or, where it came to
/// none, where it is let go.
final class HopFallback: Sendable {
  private let body: UncheckedHandover<() -> Void>
  private let isDue = Atomic<Bool>(true)

  init(_ body: @escaping () -> Void) { self.body = UncheckedHandover(body) }

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

  /// Happens, unless the call ran, or this has happened.
  func happen() {
    if isDue.exchange(false, ordering: .relaxed) { body.value() }
  }

  deinit { happen() }
}

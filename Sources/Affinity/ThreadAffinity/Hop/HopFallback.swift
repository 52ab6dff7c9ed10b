import Synchronization

extension MainHop {
  /// Sends a call that someone waits for: `fallback` runs instead if the call is dropped.
  ///
  /// That happens if the target is gone or the hop cancelled. `fallback` also runs on the main queue,
  /// unless the hop delivers in place. It is handed over: the sender must not use what it captures
  /// afterwards.
  public func send(
    _ call: @escaping @MainActor (Target) -> Void, orElse fallback: @escaping () -> Void
  ) {
    send(call, HopFallback(fallback))
  }
}

extension QueueHop {
  /// Sends a call that someone waits for: `fallback` runs instead if the call is dropped, as with
  /// `MainHop`.
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

  /// Disables the fallback: the call runs.
  func isAnswered() { isDue.store(false, ordering: .relaxed) }

  /// Happens, unless the call ran, or this has happened.
  func happen() {
    if isDue.exchange(false, ordering: .relaxed) { body.value() }
  }

  deinit { happen() }
}

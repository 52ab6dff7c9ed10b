import Synchronization

extension MainHop {
  /// Sends a call with a fallback, which runs instead of the call if the call is dropped.
  ///
  /// A call is dropped if the target is gone or the hop was cancelled. `fallback` also runs on the main queue,
  /// unless the hop delivers in place. The sender must not use the captures of `fallback` after this call.
  public func send(
    _ call: @escaping @MainActor (Target) -> Void, orElse fallback: @escaping () -> Void
  ) {
    send(call, HopFallback(fallback))
  }
}

extension QueueHop {
  /// Sends a call with a fallback, which runs instead of the call if the call is dropped, as with `MainHop`.
  public func send(
    _ call: @escaping @Sendable (Target) -> Void, orElse fallback: @escaping () -> Void
  ) {
    send(call, HopFallback(fallback))
  }
}

/// Runs `body` if the call did not run: when the arrival ends, or when the call is released.
final class HopFallback: Sendable {
  private let body: UncheckedHandover<() -> Void>
  private let isDue = Atomic<Bool>(true)

  init(_ body: @escaping () -> Void) { self.body = UncheckedHandover(body) }

  /// Disables the fallback, because the call runs.
  func isAnswered() { isDue.store(false, ordering: .relaxed) }

  /// Runs the fallback, unless the call or the fallback has run.
  func happen() {
    if isDue.exchange(false, ordering: .relaxed) { body.value() }
  }

  deinit { happen() }
}

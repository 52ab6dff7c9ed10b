import Dispatch

/// Lets time pass, as a witness: a test makes one that does not wait.
package struct Scheduler: Sendable {
  /// Calls the work once the time is over, on some queue.
  var after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// The real one.
  package static let dispatch = Scheduler { delay, work in
    DispatchQueue.global().asyncAfter(
      deadline: .now() + .nanoseconds(Int(delay / .nanoseconds(1))), execute: work)
  }
}

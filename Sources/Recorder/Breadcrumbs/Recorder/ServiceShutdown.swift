internal import CRecorder
import Synchronization

/// The shutdown of one service, for an adapter. While it lasts, a slow shutdown is recorded, even if no
/// signal asked the process to end: a program may shut down its services itself.
package final class ServiceShutdown: Sendable {
  private enum Step { static let none = 0, asked = 1, ended = 2 }
  private let step = Atomic<Int>(Step.none)

  package init() {}

  /// Notes that the service is asked to end. Has no effect after the first call or after `end`.
  package func begin() {
    let (isFirst, _) = step.compareExchange(
      expected: Step.none, desired: Step.asked, ordering: .relaxed)
    if isFirst { ms_service_is_asked_to_end() }
  }

  /// Notes that the service has ended.
  package func end() {
    if step.exchange(Step.ended, ordering: .relaxed) == Step.asked { ms_service_has_ended() }
  }
}

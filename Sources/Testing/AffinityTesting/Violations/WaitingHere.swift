import Dispatch
import Foundation
import Synchronization
import ThreadAffinity

internal import CRecorder

/// Waits on the thread of a test without `await`.
///
enum WaitingHere {
  /// The message for work on the main queue that cannot run.
  static let mainIsKept =
    "sent work has not run, because this test keeps the main queue to itself: \(advice)"

  /// The message for a task of the test that cannot run.
  static let taskIsKept =
    "a task has not run, because this test keeps a thread of the pool to itself: \(advice)"

  private static let advice =
    "give it an `await`, as in `await expectNoViolations { … }` in a test that is `async`"

  /// Whether the caller's thread is one that tasks would run on.
  static var isInTask: Bool { ms_task_id() != 0 }

  /// Waits for all that is on its way; false if that takes longer than `patience`.
  static func settles(_ work: WorkInFlight, within patience: DispatchTimeInterval) -> Bool {
    wait(within: patience) { work.isSettled() }
  }

  /// Waits until all that is on the main queue by now has run; false if it does not arrive.
  static func mainQueueComes() -> Bool {
    comes(within: MainQueueTurn.patience)
  }

  /// Whether the caller is a part of the main queue's work, so that nothing else of that can run before it ends.
  static var holdsMain: Bool {
    guard MainQueue.isCurrent else { return false }
    return !Thread.isMainThread || !comes(within: .milliseconds(300))
  }

  private static func comes(within patience: DispatchTimeInterval) -> Bool {
    let hasCome = Flag()
    // A block that is sent would be among the work that is waited for.
    DispatchGroup().notify(queue: .main) { hasCome.raise() }
    return wait(within: patience) { hasCome.isUp }
  }

  private static func wait(within patience: DispatchTimeInterval, _ isOver: () -> Bool) -> Bool {
    let deadline = DispatchTime.now() + patience
    while !isOver() {
      if DispatchTime.now() >= deadline { return false }
      if Thread.isMainThread {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      } else {
        usleep(1000)
      }
    }
    return true
  }
}

private final class Flag: Sendable {
  private let state = Atomic(false)
  var isUp: Bool { state.load(ordering: .acquiring) }
  func raise() { state.store(true, ordering: .releasing) }
}

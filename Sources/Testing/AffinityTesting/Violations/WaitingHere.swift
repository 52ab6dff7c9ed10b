import Dispatch
import Foundation
import Synchronization
import ThreadAffinity

internal import CRecorder

/// Blocking waits on the thread of a test, for tests without `await`.
enum WaitingHere {
  /// The message for work on the main queue that cannot run.
  static let mainIsKept =
    "sent work has not run, because this test blocks the main queue: \(advice)"

  /// The message for a task of the test that cannot run.
  static let taskIsKept =
    "a task has not run, because this test blocks a thread of the pool: \(advice)"

  private static let advice =
    "use `await` in an `async` test, for example `await expectNoViolations { … }`"

  /// True if the caller runs on a thread of the cooperative pool.
  static var isInTask: Bool { ms_task_id() != 0 }

  /// Waits for all work in flight. Returns false if the wait exceeds `patience`.
  static func settles(_ work: WorkInFlight, within patience: DispatchTimeInterval) -> Bool {
    wait(within: patience) { work.isSettled() }
  }

  /// Waits until all blocks that are now on the main queue have run. Returns false if the queue
  /// does not respond.
  static func mainQueueComes() -> Bool {
    comes(within: MainQueueTurn.patience)
  }

  /// True if the caller is inside a block of the main queue, so that no other block can run before
  /// the caller returns.
  static var holdsMain: Bool {
    guard MainQueue.isCurrent else { return false }
    return !Thread.isMainThread || !comes(within: .milliseconds(300))
  }

  private static func comes(within patience: DispatchTimeInterval) -> Bool {
    let hasCome = Flag()
    // A dispatched block would be tracked as sent work, but a group notification is not.
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

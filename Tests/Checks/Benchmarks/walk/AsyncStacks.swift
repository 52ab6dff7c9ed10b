import CRecorder
import Dispatch

/// A stack in a task: some functions that call one another, and below them those that wait.
enum AsyncStack {
  /// Learns, as a recorder does at its start, from where the runtime runs tasks.
  static func learn() {
    Task.detached(executorPreference: ImmediateExecutor()) { _ = ms_walk_learn_task() }
  }

  /// Runs `body` to its end in a task, in that many functions, which that many async functions wait for.
  static func visit(_ frames: Int, awaitedBy callers: Int, _ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      await wait(callers) { descend(frames, true, body) }
      done.signal()
    }
    done.wait()
  }

  /// How many frames a walk finds there, and how many of them wait.
  static func counts(_ frames: Int, awaitedBy callers: Int) -> (all: Int, waiting: Int) {
    nonisolated(unsafe) var counts = (0, 0)
    visit(frames, awaitedBy: callers) {
      var found = [UInt](repeating: 0, count: 128)
      var end = MS_WALK_COMPLETE
      let all = Int(ms_walk_here(&found, 128, 0, &end))
      counts = (all, found.prefix(all).filter { $0 >> 63 == 1 }.count)
    }
    return counts
  }

  private static func wait(_ callers: Int, _ body: @escaping @Sendable () -> Void) async {
    if callers > 0 {
      await wait(callers - 1, body)
    } else {
      await Task.yield()
      body()
    }
    withExtendedLifetime(callers) {}
  }
}

/// Runs what it is given in the call that gives it.
private final class ImmediateExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

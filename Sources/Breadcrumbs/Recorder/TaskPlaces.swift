internal import CRuntime
internal import CStackWalk

/// Learns from where the runtime runs tasks, so that stacks go on with their async callers, and where it keeps
/// on which actor a thread is, so that a violation can say who held it.
enum TaskPlaces {
  /// Runs a task to its end in each way there is, here and now, on no other thread; once in a process.
  static func learn() { _ = isLearned }

  private static let isLearned: Bool = {
    Task.detached(executorPreference: RunsAtOnce()) { _ = ms_walk_learn_task() }
    #if compiler(>=6.2)
      Task.immediateDetached { _ = ms_walk_learn_task() }
    #endif
    for _ in 0..<2 {
      Task.detached(executorPreference: RunsAtOnce()) { await goToSchool() }
    }
    return true
  }()

  @Sendable private static func goToSchool() async {
    let school = School()
    await school.visit()
  }
}

/// An actor that a task enters here and now, on no other thread.
private actor School {
  private let executor = EntersAtOnce()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func visit() { ms_holder_learn() }
}

private final class EntersAtOnce: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedSerialExecutor())
  }
}

internal import CRecorder

/// Learns from where the runtime runs tasks, so that stacks go on with their async callers.
enum TaskPlaces {
  /// Runs a task to its end in each way there is, here and now, on no other thread; once in a process.
  static func learn() { _ = isLearned }

  private static let isLearned: Bool = {
    Task.detached(executorPreference: ImmediateExecutor()) { _ = ms_walk_learn_task() }
    #if compiler(>=6.2)
      Task.immediateDetached { _ = ms_walk_learn_task() }
    #endif
    return true
  }()
}

internal import CRecorder

/// Learns the calls by which the runtime runs tasks, so that stacks continue with their async
/// callers.
enum TaskPlaces {
  /// Runs a task to its end in each available way, synchronously on this thread; once in a process.
  static func learn() { _ = isLearned }

  private static let isLearned: Bool = {
    Task.detached(executorPreference: ImmediateExecutor()) { _ = ms_walk_learn_task() }
    #if compiler(>=6.2)
      Task.immediateDetached { _ = ms_walk_learn_task() }
    #endif
    return true
  }()
}

internal import CCrashHandler

/// Learns where the runtime stores the names of tasks, because a signal handler cannot call the runtime for
/// them.
enum TaskNames {
  /// Runs a few tasks to their end on the current thread, once per process.
  static func learn() { _ = isLearned }

  private static let isLearned: Bool = {
    #if compiler(>=6.2)
      Task.immediateDetached(name: "a task to learn from") {
        ms_task_name_learn("a task to learn from")
      }
      Task.immediateDetached(name: "another") { ms_task_name_check("another") }
      Task.immediateDetached(name: "another task") {
        await withTaskCancellationHandler {
          ms_task_name_check("another task")
        } onCancel: {
        }
      }
      Task.immediateDetached { ms_task_name_check(nil) }
    #endif
    return true
  }()
}

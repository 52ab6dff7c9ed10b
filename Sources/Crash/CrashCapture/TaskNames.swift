internal import CCrashHandler

/// Learns where the runtime keeps the names of tasks, which a signal handler cannot ask it for.
enum TaskNames {
  /// Runs a few tasks to their end, here and now, on no other thread; once in a process.
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

import Glibc
import Synchronization

/// What each task says of itself before it waits: the truth that a scan from outside has to find.
final class Truth: Sendable {
  static let shared = Truth()

  private let lines = Mutex<[String]>([])
  /// Continuations that are kept, and handles of tasks.
  private let kept = Mutex<[any Sendable]>([])

  func keep(_ value: some Sendable) { kept.withLock { $0.append(value) } }

  /// Notes the state that the task is about to be in.
  func say(_ state: String, parent: UInt64 = 0, name: String = "-") {
    let line = "\(Self.currentTask) \(parent) \(name) \(Task.isCancelled ? 1 : 0) \(state)"
    lines.withLock { $0.append(line) }
  }

  var count: Int { lines.withLock { $0.count } }

  func tell() {
    let lines = lines.withLock { $0 }
    print(lines.joined(separator: "\n"))
    print("READY")
    fflush(nil)
  }

  /// The runtime's id of the current task.
  static var currentTask: UInt64 {
    withUnsafeCurrentTask { task in
      guard let task else { return 0 }
      return taskID(unsafeBitCast(task, to: UnsafeRawPointer.self))
    }
  }

  private static let taskID = unsafeBitCast(
    dlsym(nil, "swift_task_getJobTaskId"),
    to: (@convention(c) (UnsafeRawPointer) -> UInt64).self)
}

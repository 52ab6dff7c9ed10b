internal import CRecorder

/// The place where code runs: its queue, its thread, its task.
public struct ExecutionPlace: Sendable, Equatable {
  /// The label of the queue; `nil` on a thread outside Dispatch.
  public let queueLabel: String?
  /// The serial number of the queue, unique in the process; 0 without a queue.
  public let queueSerial: UInt64
  /// The kernel's id of the thread.
  public let threadID: UInt32
  /// The name of the thread.
  public let threadName: String
  /// The id of the task; `nil` outside tasks.
  public let taskID: UInt64?
  /// The name of the task, if it has one.
  public let taskName: String?
  /// The type of the actor on which the task runs, or of the executor if the executor is not an actor; `nil`
  /// outside actors.
  public let actorName: String?
  /// True if main-queue work may run here.
  public let isMainQueue: Bool

  /// The place of the caller.
  public static var current: ExecutionPlace { ExecutionPlace() }

  init(
    queueLabel: String?, queueSerial: UInt64, threadID: UInt32, threadName: String, taskID: UInt64?,
    taskName: String?, actorName: String? = nil, isMainQueue: Bool
  ) {
    self.queueLabel = queueLabel
    self.queueSerial = queueSerial
    self.threadID = threadID
    self.threadName = threadName
    self.taskID = taskID
    self.taskName = taskName
    self.actorName = actorName
    self.isMainQueue = isMainQueue
  }

  private init() {
    let stamp = ms_queue_stamp_here()
    queueLabel = stamp.label.map { String(cString: $0) }
    queueSerial = stamp.serial
    isMainQueue = stamp.onMain
    threadID = ms_thread_id_anew()
    threadName = ExecutionPlace.ownThreadName
    let task = ms_task_id()
    taskID = task == 0 ? nil : task
    taskName = taskID == nil ? nil : currentTaskName
    actorName = ExecutionPlace.ownActorName
  }

  private static var ownActorName: String? {
    let executor = ms_executor_here()
    guard executor.identity != nil else { return nil }
    if ms_executor_is_main(executor) { return "MainActor" }
    return ExecutorReference.typeName(of: executor)
  }

  private static var ownThreadName: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
      ms_thread_name(name.baseAddress!, name.count)
      return String(cString: name.baseAddress!)
    }
  }
}

extension ExecutionPlace: CustomStringConvertible {
  /// The place as text, such as `queue com.example.net (thread 41 "net", task 7)`.
  public var description: String {
    var thread = "thread \(threadID)"
    if !threadName.isEmpty { thread += " \"\(threadName)\"" }
    if let taskID {
      thread += ", task \(taskID)"
      if let taskName { thread += " \"\(taskName)\"" }
      if let actorName { thread += " on \(actorName)" }
    }
    guard let queueLabel else { return "\(thread), on no queue" }
    return "queue \(queueLabel.isEmpty ? "#\(queueSerial)" : queueLabel) (\(thread))"
  }
}

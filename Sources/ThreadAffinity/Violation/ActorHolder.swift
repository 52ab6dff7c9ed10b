internal import CRuntime

/// Who ran on an actor while other code broke its isolation: the other half of the race, if it is one.
public struct ActorHolder: Sendable, Equatable {
  /// The kernel's id of the thread.
  public let threadID: UInt32
  /// The id of the task; `nil` where that is not known.
  public let taskID: UInt64?

  /// Who runs on `actor` now, on another thread; nil where nobody does, or it cannot be known.
  init?(of actor: any Actor) {
    var holder = ms_holder()
    let executor = unsafeBitCast(actor.unownedExecutor, to: ms_executor.self)
    guard ms_holder_of(executor, &holder) else { return nil }
    threadID = holder.thread
    taskID = holder.task == 0 ? nil : holder.task
  }
}

extension ActorHolder: CustomStringConvertible {
  /// The holder as text, such as `thread 41, task 7`.
  public var description: String {
    "thread \(threadID)" + (taskID.map { ", task \($0)" } ?? "")
  }
}

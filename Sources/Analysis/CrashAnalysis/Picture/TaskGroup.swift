import IncidentModel

/// The tasks of a picture whose state and functions and lines, including their async callers, are
/// the same.
package struct TaskGroup: Sendable {
  /// The tasks, by ascending id.
  package private(set) var tasks: [PictureTask]
  /// The activity of each task, as a verb phrase for one task and for several: `waits for a continuation`.
  package let doing: (one: String, many: String)
  /// The place where the tasks resume and their async callers, innermost first; empty for tasks
  /// that run or have ended.
  package let frames: [Frame]

  /// The frames in the program's own code.
  package var ownFrames: [Frame] { frames.filter { $0.role == .code && $0.isNamed } }

  private struct Key: Hashable {
    var doing: String
    var places: [CodePlace]
  }

  /// Groups the tasks of a picture, the largest group first. The runtime's internal tasks, which
  /// wake other tasks, are omitted.
  static func groups(of picture: TaskPicture, _ reader: FrameReader) -> [TaskGroup] {
    var places: [Key: Int] = [:]
    var groups: [TaskGroup] = []
    var known: [Stack: [Frame]] = [:]
    for task in picture.tasks where task.state != .notStarted {
      let frames = known[task.stack] ?? reader.frames(at: task.stack.frames, when: .max)
      known[task.stack] = frames
      let doing = words(of: task, frames, picture)
      let key = Key(doing: doing.one, places: frames.map(\.place))
      if let place = places[key] {
        groups[place].tasks.append(task)
      } else {
        places[key] = groups.count
        groups.append(TaskGroup(tasks: [task], doing: doing, frames: frames))
      }
    }
    return groups.sorted { one, other in
      (one.tasks.count, other.tasks[0].id) > (other.tasks.count, one.tasks[0].id)
    }
  }

  private static func words(
    of task: PictureTask, _ frames: [Frame], _ picture: TaskPicture
  ) -> (one: String, many: String) {
    switch task.state {
    case .running(nil): return ("runs", "run")
    case .running(let thread?): return ("runs on thread \(thread)", "run on thread \(thread)")
    case .finished:
      return ("has ended, but is still referenced", "have ended, but are still referenced")
    case .unknown, .notStarted: return ("is between two states", "are between two states")
    case .enqueued(let executor):
      let what = words(of: executor, picture)
      return ("waits for \(what)", "wait for \(what)")
    case .waiting(let wait):
      let what = words(of: wait, frames)
      return what.map { ("waits for \($0)", "wait for \($0)") } ?? ("sleeps", "sleep")
    }
  }

  private static func words(of executor: PictureExecutor, _ picture: TaskPicture) -> String {
    switch executor {
    case .pool: return "a thread"
    case .main: return "the main queue"
    case .actor(let address):
      let type = picture.actor(address)?.type ?? ""
      return "a turn on \(type.isEmpty ? "an actor" : "actor \(type)")"
    case .custom(_, let type):
      return "a turn on \(type.isEmpty ? "an executor" : "executor \(type)")"
    }
  }

  /// Returns a phrase for the resource that a task waits for; nil if the task sleeps.
  private static func words(of wait: PictureWait, _ frames: [Frame]) -> String? {
    switch wait {
    case .task, .unknownTask: return "another task"
    case .group: return "the tasks of a group"
    case .continuation:
      let names = frames.prefix { $0.role != .code }.map(\.place.function)
      if names.contains(where: { $0.contains("sleep") }) { return nil }
      if names.contains(where: { $0.contains("Stream") && $0.contains("next") }) {
        return "the next element of a stream"
      }
      return names.contains { $0.contains("yield") } ? "a thread" : "a continuation"
    }
  }
}

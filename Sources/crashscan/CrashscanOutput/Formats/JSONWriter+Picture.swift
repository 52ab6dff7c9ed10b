import CrashAnalysis
import IncidentModel
import TextOutput

extension JSONWriter {
  /// Writes a picture of a process. docs/report-schema.json describes the format.
  mutating func picture(_ picture: ProcessPicture, _ groups: PictureGroups) {
    object { json in
      json.member("taken", WallTime(nanoseconds: picture.wall).iso8601)
      json.member("stop", picture.stop.name)
      json.member("stoppedNanoseconds", picture.stop.nanoseconds.map { Int(clamping: $0) })
      json.key("notes")
      json.array(picture.notes) { $0.value($1) }
      json.member("threads", picture.threads.count)
      json.key("groups")
      json.array(groups.threads) { json, group in
        json.breakLine()
        json.group(group, picture)
      }
      json.key("tasks")
      if let tasks = picture.tasks {
        json.tasks(tasks, groups.tasks)
      } else {
        json.null()
      }
    }
  }

  private mutating func group(_ group: ThreadGroup, _ picture: ProcessPicture) {
    object { json in
      json.key("threads")
      json.array(group.threads) { json, thread in
        json.object { json in
          json.member("id", thread.kernelID)
          json.member("name", thread.name)
          json.member("state", picture.states[thread.kernelID])
        }
      }
      json.member("isWhole", group.end == .complete)
      json.frames(group.frames)
    }
  }

  private mutating func frames(_ frames: [Frame]) {
    key("frames")
    array(frames) { json, frame in
      json.object { json in
        json.member("function", frame.place.name)
        json.member("module", frame.place.module)
        json.member("file", frame.place.file)
        json.member("line", frame.place.line)
        json.member("role", frame.role.name)
        json.member("isInlined", frame.isInlined)
      }
    }
  }

  /// The maximum number of tasks of a group in the output; a service may have a million.
  private static var mostTasksOfGroup: Int { 1000 }

  private mutating func tasks(_ picture: TaskPicture, _ groups: [TaskGroup]) {
    object { json in
      json.member("count", picture.tasks.count)
      json.key("gaps")
      json.array(picture.gaps) { $0.value($1) }
      json.key("groups")
      json.array(groups) { json, group in
        json.breakLine()
        json.group(group)
      }
    }
  }

  private mutating func group(_ group: TaskGroup) {
    object { json in
      json.member("count", group.tasks.count)
      json.member("doing", group.doing.one)
      json.key("tasks")
      json.array(group.tasks.prefix(Self.mostTasksOfGroup)) { json, task in
        json.object { json in
          json.member("id", Int(clamping: task.id))
          json.member("name", task.name)
          json.member("parent", task.parent.map { Int(clamping: $0) })
          json.member("priority", task.priority.words)
          json.member("isCancelled", task.flags.contains(.cancelled))
        }
      }
      json.frames(group.frames)
    }
  }
}

extension ProcessPicture.Stop {
  fileprivate var name: String {
    switch self {
    case .stopped: "stopped"
    case .partly: "partly"
    case .running: "running"
    case .dead: "dead"
    }
  }

  fileprivate var nanoseconds: UInt64? {
    switch self {
    case .stopped(let time), .partly(let time): time
    case .running, .dead: nil
    }
  }
}

extension Frame.Role {
  fileprivate var name: String {
    switch self {
    case .code: "code"
    case .library: "library"
    case .runtime: "runtime"
    case .drain: "drain"
    case .check: "check"
    case .ui: "ui"
    }
  }
}

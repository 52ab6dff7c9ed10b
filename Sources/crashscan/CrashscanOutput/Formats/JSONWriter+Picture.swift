import CrashAnalysis
import IncidentModel
import TextOutput

extension JSONWriter {
  /// A picture of a process, as docs/report-schema.json describes it.
  mutating func picture(_ picture: ProcessPicture, _ groups: [ThreadGroup]) {
    object { json in
      json.member("taken", WallTime(nanoseconds: picture.wall).iso8601)
      json.member("stop", picture.stop.name)
      json.member("stoppedNanoseconds", picture.stop.nanoseconds.map { Int(clamping: $0) })
      json.key("notes")
      json.array(picture.notes) { $0.value($1) }
      json.member("threads", picture.threads.count)
      json.key("groups")
      json.array(groups) { json, group in
        json.breakLine()
        json.group(group, picture)
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
      json.key("frames")
      json.array(group.frames) { json, frame in
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

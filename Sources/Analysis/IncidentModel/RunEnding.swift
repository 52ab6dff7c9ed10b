/// The state or the end of a run, according to its log and the log of the next run.
package enum RunEnding: Sendable, Hashable, Codable {
  /// The certainty of a verdict.
  package enum Certainty: UInt32, Sendable, Hashable, Comparable, Codable {
    case possible = 1
    case probable = 2
    case certain = 3

    package static func < (left: Certainty, right: Certainty) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The process still writes to its log.
  case running
  /// The process closed its log or exited by itself.
  case clean
  /// The process received this signal as a request to end, and did not exit by itself.
  case terminated(signal: Int)
  /// A crash by this signal. The verdict is uncertain if a host handler received the signal last,
  /// because the process may have survived.
  case crash(signal: Int, Certainty)
  /// The process was killed while its main queue did not respond.
  case killedInHang
  /// The end was not recorded: the process was killed, or crashed without a crash handler.
  case killed
  /// The kernel killed the process because memory ran out.
  case outOfMemory(Certainty)
  /// The machine has restarted since the run, or the run was on another machine.
  case reboot
  /// Another process truncated the log during the run.
  case cutShort
  /// The input is a report of another tool, which contains no ending.
  case reported

  /// True if the log itself has no record of the ending.
  package var isWordless: Bool {
    switch self {
    case .killedInHang, .killed, .outOfMemory, .reboot: true
    case .running, .clean, .terminated, .crash, .cutShort, .reported: false
    }
  }

  /// True if the process was asked to end.
  package var isOnRequest: Bool { if case .terminated = self { true } else { false } }

  /// True if the program itself failed, as far as known.
  package var isFailure: Bool {
    switch self {
    case .crash, .killedInHang, .killed, .outOfMemory: true
    case .running, .clean, .terminated, .reboot, .cutShort, .reported: false
    }
  }

  /// True if the ending is acceptable for a service.
  package var isClean: Bool {
    switch self {
    case .running, .clean, .terminated, .reported: true
    case .crash, .killedInHang, .killed, .outOfMemory, .reboot, .cutShort: false
    }
  }

  /// The name in JSON.
  package var name: String {
    switch self {
    case .running: "running"
    case .clean: "clean"
    case .terminated: "terminated"
    case .crash: "crashed"
    case .killedInHang, .killed: "sudden"
    case .outOfMemory: "outOfMemory"
    case .reboot: "reboot"
    case .cutShort: "cutShort"
    case .reported: "reported"
    }
  }
}

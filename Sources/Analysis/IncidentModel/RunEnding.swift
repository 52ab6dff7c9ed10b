/// How a run stands or ended, as far as its log and the log of the run after it say.
package enum RunEnding: Sendable, Hashable, Codable {
  /// How sure a verdict is.
  package enum Certainty: UInt32, Sendable, Hashable, Comparable, Codable {
    case possible = 1
    case probable = 2
    case certain = 3

    package static func < (left: Certainty, right: Certainty) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The process still writes.
  case running
  /// It closed its log, or exited by itself.
  case clean
  /// It was asked to end, by this signal, and did not exit by itself.
  case terminated(signal: Int)
  /// Not certain where a handler of its own had the signal last, which it may have survived.
  case crash(signal: Int, Certainty)
  /// It was killed while its main queue did not answer.
  case killedInHang
  /// Nothing was recorded of its end: it was killed, or it crashed where nothing records that.
  case killed
  /// The kernel killed it for lack of memory.
  case outOfMemory(Certainty)
  /// The machine was started since, or it ran on another one.
  case reboot
  /// Another process truncated its log.
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

  /// Whether it was asked to end.
  package var isOnRequest: Bool { if case .terminated = self { true } else { false } }

  /// Whether the program itself is what failed, as far as can be told.
  package var isFailure: Bool {
    switch self {
    case .crash, .killedInHang, .killed, .outOfMemory: true
    case .running, .clean, .terminated, .reboot, .cutShort, .reported: false
    }
  }

  /// Whether that is how a service should end.
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

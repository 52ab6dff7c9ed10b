import IncidentModel

/// A description of a run's death for programs and people. The encoded form, in summaries, has no
/// message.
package struct DeathDescription: Hashable, Sendable, Codable {
  /// The stable identifier: `fatal-error`, `bad-access`, `killed`.
  package let kind: String
  /// The display name: `Fatal error`.
  package let name: String
  /// The message of the program or a library; empty without one.
  package private(set) var message = ""

  private enum CodingKeys: CodingKey {
    case kind, name
  }

  /// A copy without the message.
  var withoutMessage: DeathDescription { DeathDescription(kind: kind, name: name) }
}

extension AnalysisOutcome {
  /// The cause of the process's death; nil if the process did not fail.
  package var death: DeathDescription? { DeathDescription(run) }
}

extension DeathDescription {
  init?(_ run: EndedRun) {
    if let crash = run.crash, run.ending.isFailure {
      self.init(crash, in: run)
    } else if let words = Self.wordless(run.manner.kind), run.ending.isFailure {
      self.init(kind: words.kind, name: words.name)
    } else if run.ending.isOnRequest, run.hang != nil {
      self.init(kind: "killed-while-ending", name: "Killed while ending")
    } else {
      return nil
    }
  }

  private init(_ crash: CrashReading, in run: EndedRun) {
    if run.deadlock != nil {
      self.init(kind: "deadlock", name: "Deadlock", message: crash.crash.text)
    } else if crash.isIsolationTrap {
      let check = FailedCheck(crash, said: nil)
      self.init(
        kind: "failed-check", name: "\(DisplayText.sentence(check.name)) failed",
        message: crash.crash.text)
    } else {
      var death = Death(crash, wasAskedFor: crash.wasAskedFor(in: run))
      death.isWhileExiting = run.lifecycle.hasExited || crash.isInExit
      self.init(
        kind: death.kind.rawValue, name: death.heading(of: crash.crash), message: death.message)
    }
  }

  /// Returns the kind and name of a death of which the log has no record.
  private static func wordless(_ kind: RunOutcome.Kind) -> (kind: String, name: String)? {
    switch kind {
    case .memory: ("killed-for-memory", "Killed for lack of memory")
    case .hang: ("killed-in-hang", "Hung, then killed")
    case .silent: ("killed", "Killed, or called _exit")
    case .crash: ("other", "Crashed")
    case .running, .exited, .asked, .reboot, .cutShort, .reported: nil
    }
  }
}

extension DisplayText {
  /// Returns the text with a capital first letter.
  fileprivate static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

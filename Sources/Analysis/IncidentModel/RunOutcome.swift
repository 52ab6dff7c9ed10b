/// The outcome of a run, described in the same words by every command.
package struct RunOutcome: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case running, exited, asked, crash, memory, hang, silent, reboot, cutShort, reported
  }

  /// Further facts about a run, used to describe its outcome.
  package struct Facts: Sendable {
    package var signs: RunSigns
    /// The executor that did not respond at the end, as a noun phrase; nil if all responded.
    package var hung: String?
    /// The request to end: the signal's name, with the sender if known; empty if unknown.
    package var toldBy = ""
    /// True if the only record of a request to end are services that were asked to end and had not
    /// ended.
    package var isHeldByServices = false
    /// The time since a running process was asked to end, in nanoseconds; nil if it was not asked.
    package var toldAgo: UInt64?
    /// The cause of the crash; empty if only the signal is known.
    package var death = ""
    /// The exit status that the parent process received; nil if unknown.
    package var toldStatus: Int?
    /// The tool that reported the run.
    package var reporter = "another tool"

    package init(_ signs: RunSigns = RunSigns()) { self.signs = signs }
  }

  package let kind: Kind
  package let certainty: RunEnding.Certainty
  /// Verb phrase to follow the process name: "crashed", "was killed".
  package let words: String
  /// The request to end: `SIGTERM from process 12`; empty if there was no known request.
  package let teller: String

  package init(_ ending: RunEnding, _ facts: Facts = Facts()) {
    (kind, certainty) = Self.judge(ending, facts)
    words = Self.words(ending, facts, kind, certainty)
    teller = facts.toldBy.isEmpty ? Self.signal(ending) : facts.toldBy
  }

  private static func judge(_ ending: RunEnding, _ facts: Facts) -> (Kind, RunEnding.Certainty) {
    switch ending {
    case .running: (.running, .certain)
    case .clean: (.exited, .certain)
    case .terminated: (.asked, .certain)
    case .crash(_, let certainty): (.crash, certainty)
    case .killedInHang: (.hang, .certain)
    case .killed: (facts.hung != nil ? .hang : .silent, .certain)
    case .outOfMemory(let certainty): (.memory, certainty)
    case .reboot: (.reboot, .probable)
    case .cutShort: (.cutShort, .certain)
    case .reported: (.reported, .certain)
    }
  }

  private static func words(
    _ ending: RunEnding, _ facts: Facts, _ kind: Kind, _ certainty: RunEnding.Certainty
  ) -> String {
    let perhaps = certainty == .certain ? "" : "probably "
    return switch kind {
    case .running: running(facts)
    case .exited: exit(facts)
    case .asked: asked(ending, facts)
    case .crash where certainty == .possible:
      "passed \(facts.death.isEmpty ? signal(ending) : facts.death) to its own handler, and recorded nothing afterwards"
    case .crash where facts.signs.isSurvived: "failed, \(facts.death)"
    case .crash: "\(perhaps)crashed, \(facts.death.isEmpty ? signal(ending) : facts.death)"
    case .memory: "was \(perhaps)killed for lack of memory"
    case .hang: "hung and was then killed"
    case .silent:
      told(facts.toldStatus) ?? "was killed, or called _exit" + doubt(facts.signs)
    case .reboot: "ended abruptly; the machine has rebooted since"
    case .cutShort: "its log was truncated while it ran"
    case .reported: "reported by \(facts.reporter)"
    }
  }

  private static func running(_ facts: Facts) -> String {
    guard let ago = facts.toldAgo else { return "still running" }
    let time = "\(TimeSpan.text(nanoseconds: ago)) ago"
    if facts.toldBy.isEmpty, !facts.isHeldByServices {
      return "recorded \(time) that it was ending, still running"
    }
    let teller = facts.toldBy.isEmpty ? "" : " by \(facts.toldBy)"
    return "was asked to end \(time)\(teller), still running"
  }

  private static func exit(_ facts: Facts) -> String {
    let status = facts.signs.exitStatus ?? 0
    let how = status == 0 ? "exited normally" : "exited with status \(status)"
    return facts.toldBy.isEmpty ? how : "was asked to end by \(facts.toldBy), and \(how)"
  }

  private static func asked(_ ending: RunEnding, _ facts: Facts) -> String {
    let teller = facts.toldBy.isEmpty ? signal(ending) : facts.toldBy
    let hang = facts.hung.map { "; \($0) no longer answered" } ?? ""
    let end = told(facts.toldStatus) ?? "was killed or called _exit"
    if teller.isEmpty, facts.isHeldByServices {
      return "was asked to end, did not exit, and \(end)" + hang
    }
    // No request by another process is known: the program itself recorded that it was ending.
    if teller.isEmpty {
      return "recorded that it was ending, then was killed, or called _exit" + doubt(facts.signs)
        + hang
    }
    let rest = facts.signs.takesAsk ? ", did not exit, and \(end)" : ""
    return "was asked to end by \(teller)" + rest + hang
  }

  /// The phrase for a run whose log has no record of the end, from the exit status that the parent
  /// process received.
  private static func told(_ status: Int?) -> String? {
    guard let status else { return nil }
    return status > 128
      ? "was killed by \(SignalName.of(status - 128))"
      : "exited with status \(status) through _exit: no exit handler ran"
  }

  /// The phrase for the possibility of an unrecorded crash; empty if the run had a crash handler.
  private static func doubt(_ signs: RunSigns) -> String {
    signs.hasCrashHandler == true ? "" : ", or crashed without a crash handler"
  }

  /// The name of the signal in an ending; empty if the ending has none.
  private static func signal(_ ending: RunEnding) -> String {
    switch ending {
    case .terminated(let signal) where signal != 0: SignalName.of(signal)
    case .crash(let signal, _): SignalName.of(signal)
    default: ""
    }
  }
}

import IncidentModel

/// Says that a run ended without a word, and what may have ended it.
final class UncleanEnd: Rule {
  static let about = RuleDescription(
    id: "unclean-end", severity: .warning, title: "The process ended without a word",
    law: """
      Speaks of each recording that neither closed nor recorded a crash and is no longer written. It \
      says out of memory where the system was short of it in the last 10 s, a hang where one was \
      recorded and had not ended, and otherwise that it was killed or crashed unrecorded.
      """,
    cause: """
      SIGKILL: from the system when memory runs out or a hang lasts, from a supervisor, from a person; \
      or a crash without a crash handler; or the machine went down.
      """,
    evidence: "The log's ending, the last crumbs, memory and hang crumbs near the end.",
    mend:
      "Install the crash handler, so that a crash is told from a kill; look into the kernel's log.",
    triggers: "kill(getpid(), SIGKILL)",
    spares: "exit(0)")

  let interest = Interest(.violation)

  private var lastViolation: UInt64?

  func observe(_ event: Event, in scene: Scene) {
    lastViolation = event.monotonic
  }

  func finish(in scene: Scene) {
    guard scene.ending == .sudden || (scene.ending == .told && scene.hang != nil) else { return }
    // An end that a violation explains is crash-cause's to tell.
    if let lastViolation, scene.lastMonotonic &- lastViolation < 1_000_000_000 { return }
    scene.report(DraftKey(Self.about.id)) { finding(scene) }
  }

  private func finding(_ scene: Scene) -> Finding {
    let near = scene.options.thresholds.nearEnd
    let isShort = scene.lifecycle.shortOfMemory.map { scene.lastMonotonic &- $0 < near } ?? false
    let reading =
      isShort
      ? ("memory", "The process ended without a word just after memory had run short")
      : scene.hang != nil
        ? ("hang", "The process hung and was then killed")
        : ("silent", "The process was killed, crashed unrecorded, or its machine went down")
    var finding = Finding(
      rule: Self.about.id, severity: reading.0 == "silent" ? Self.about.severity : .error,
      title: reading.1, culprit: nil, api: nil, mend: mend(reading.0), identity: reading.0,
      defect: "end")
    if !scene.lifecycle.last.isEmpty {
      let since = scene.lastMonotonic &- scene.lifecycle.lastWhen.monotonic
      let when =
        since == 0 ? "was the last crumb" : "came \(Words.duration(since)) before the last crumb"
      finding.evidence.append(Finding.Evidence("“\(scene.lifecycle.last)” \(when)"))
    }
    finding.nearby = scene.crumbs(before: scene.end)
    return finding
  }

  private func mend(_ kind: String) -> Finding.Mend {
    switch kind {
    case "memory":
      Finding.Mend("Look for what grew before the end; the kernel's log names its size.")
    case "hang": Finding.Mend("Look at what held the main queue when the hang began.")
    default:
      Finding.Mend("Install the crash handler, so that a crash can be told from a kill.")
    }
  }
}

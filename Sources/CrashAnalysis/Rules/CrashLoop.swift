import IncidentModel

/// Finds programs that crash again each time they are started.
enum CrashLoop: FleetRule {
  static let about = RuleDescription(
    id: "crash-loop", severity: .error,
    title: "A program crashes again each time it is started",
    firesWhen: """
      Three or more runs of one program in a row lasted less than two minutes each, crashed or \
      ended abruptly, and each began within two minutes of the end of the one before.
      """,
    cause: """
      What kills it is there at the start: a file it wrote before it died, a message that is \
      delivered again, a setting.
      """,
    evidence: "The runs: when each began, how long it lasted, how it ended.",
    fix: """
      Start once without what the last run left; quarantine that after a second crash.
      """,
    triggers: "while true; do service; done  # and it dies each time",
    spares: "service; service  # two runs, or runs that exit normally", language: "sh")

  static func judge(_ recordings: [RecordingSummary]) -> [Finding] {
    let programs = Dictionary(grouping: recordings.filter { $0.opened > 0 }, by: \.executable)
    return programs.keys.sorted().compactMap { program in
      let runs = programs[program]!.sorted { ($0.opened, $0.input) < ($1.opened, $1.input) }
      let loop = longestLoop(runs)
      return loop.count >= Thresholds().loopRuns ? finding(program, loop) : nil
    }
  }

  private static func longestLoop(_ runs: [RecordingSummary]) -> [RecordingSummary] {
    let limit = Thresholds().shortRun
    var best = 0..<0
    var loop = 0..<0
    for (index, run) in runs.enumerated() {
      let isShort = run.lastSeen &- run.opened < limit
      guard isShort, run.ending.isFailure else {
        loop = index + 1..<index + 1
        continue
      }
      let before = loop.isEmpty ? nil : runs[index - 1].lastSeen
      let isApart = before.map { run.opened > $0 && run.opened - $0 > limit } ?? true
      loop = (isApart ? index : loop.lowerBound)..<index + 1
      if loop.count > best.count { best = loop }
    }
    return Array(runs[best])
  }

  private static func finding(_ program: String, _ loop: [RecordingSummary]) -> Finding {
    let name = program.split(separator: "/").last.map(String.init) ?? program
    let span = TimeSpan.text(nanoseconds: loop.last!.lastSeen &- loop.first!.opened)
    var finding = Finding(
      rule: about.id, severity: about.severity,
      title: "\(name) died \(loop.count) times in a row within \(span)", culprit: nil, api: name,
      fix: Finding.Fix(
        "Start \(name) once without what it kept from its last run, and compare what the crashes "
          + "have in common."),
      identity: name, defect: "loop \(name)")
    finding.evidence = loop.suffix(5).map { run in
      let lasted = TimeSpan.text(nanoseconds: run.lastSeen &- run.opened)
      let how = run.crash.isEmpty ? run.manner ?? Manner(run.ending).words : run.crash
      return Finding.Evidence("process \(run.process) lasted \(lasted): \(how)")
    }
    finding.input = loop.last!.input
    finding.wall = loop.last!.lastSeen
    return finding
  }
}

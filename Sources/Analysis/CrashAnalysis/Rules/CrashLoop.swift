import IncidentModel

/// Finds programs that crash again after each start.
enum CrashLoop: FleetRule {
  static let about = RuleDescription(
    id: "crash-loop", severity: .error,
    title: "A program crashes at every start",
    firesWhen: """
      Three or more successive runs of one program lasted less than two minutes each, crashed or \
      ended abruptly in the same way, and began within two minutes of the end of the previous run. \
      Each host is judged alone; without the names of hosts, each directory of logs is.
      """,
    cause: """
      The reason is present at each start: a file of an earlier run, a message that is delivered \
      again, a setting.
      """,
    evidence: "The beginning, the duration and the end of each run.",
    fix: """
      Start once without the files of the last run; quarantine such input after a second crash.
      """,
    triggers: "while true; do service; done  # and it dies each time",
    spares: "service; service  # two runs, or runs that exit normally", language: "sh")

  private typealias Run = (place: Int, summary: RecordingSummary)

  /// The program of a run, and its host, or the directory of its log if no host is known: only runs
  /// in one place are consecutive.
  private struct Home: Hashable {
    var program: String
    var host: String?
    var directory: Substring?

    init(_ run: RecordingSummary) {
      program = run.executable
      host = run.host
      directory =
        host == nil ? run.input[..<(run.input.lastIndex(of: "/") ?? run.input.startIndex)] : nil
    }
  }

  static func judge(_ recordings: [RecordingSummary]) -> [FleetFinding] {
    let runs = recordings.enumerated().filter { $0.element.opened > 0 }
      .map { (place: $0.offset, summary: $0.element) }
    let homes = Dictionary(grouping: runs) { Home($0.summary) }
    var loops: [String: [[Run]]] = [:]
    for (home, runs) in homes {
      let loop = longestLoop(
        runs.sorted {
          ($0.summary.opened, $0.summary.input) < ($1.summary.opened, $1.summary.input)
        })
      if loop.count >= Thresholds().loopRuns { loops[home.program, default: []].append(loop) }
    }
    return loops.sorted { $0.key < $1.key }.map { program, loops in
      FleetFinding(
        finding: finding(program, loops.sorted(by: isBefore)), count: loops.count,
        places: loops.joined().map(\.place).sorted())
    }
  }

  /// Orders loops by length, longest first.
  private static func isBefore(_ one: [Run], _ other: [Run]) -> Bool {
    one.count != other.count ? one.count > other.count : one[0].place < other[0].place
  }

  private static func longestLoop(_ runs: [Run]) -> [Run] {
    let limit = Thresholds().shortRun
    var best = 0..<0
    var loop = 0..<0
    for (index, run) in runs.map(\.summary).enumerated() {
      let isShort = run.lastSeen &- run.opened < limit
      guard isShort, run.ending.isFailure else {
        loop = index + 1..<index + 1
        continue
      }
      let before = loop.isEmpty ? nil : runs[index - 1].summary
      let isApart = before.map { isOther(run, than: $0, limit) } ?? true
      loop = (isApart ? index : loop.lowerBound)..<index + 1
      if loop.count > best.count { best = loop }
    }
    return Array(runs[best])
  }

  /// True if a run is not the restart after another run, or did not die in the same way.
  private static func isOther(
    _ run: RecordingSummary, than before: RecordingSummary, _ limit: UInt64
  ) -> Bool {
    let isLater = run.opened > before.lastSeen && run.opened - before.lastSeen > limit
    return isLater || run.death?.kind != before.death?.kind
  }

  private static func finding(_ program: String, _ loops: [[Run]]) -> Finding {
    let loop = loops[0].map(\.summary)
    let name = program.split(separator: "/").last.map(String.init) ?? program
    let span = TimeSpan.text(nanoseconds: loop.last!.lastSeen &- loop.first!.opened)
    let others = loops.count == 2 ? "another host has" : "\(loops.count - 1) other hosts have"
    let hosts = loops.count > 1 ? ", and \(others) such a loop" : ""
    var finding = Finding(
      rule: about.id, severity: about.severity,
      title: "\(name) died \(loop.count) times in a row within \(span)\(hosts)", culprit: nil,
      api: name,
      fix: Finding.Fix(
        "Start \(name) once without the state kept from its last run, and find what the crashes have in common."
      ),
      identity: name, defect: "loop \(name)")
    finding.evidence = loop.suffix(5).map { run in
      let lasted = TimeSpan.text(nanoseconds: run.lastSeen &- run.opened)
      let how = run.crash.isEmpty ? run.manner ?? RunOutcome(run.ending).words : run.crash
      return Finding.Evidence("process \(run.process) lasted \(lasted): \(how)")
    }
    finding.input = loop.last!.input
    finding.wall = loop.last!.lastSeen
    return finding
  }
}

import IncidentModel

/// Finds the code whose queue or isolation check ended the process.
final class IsolationTrap: Rule {
  static let about = RuleDescription(
    id: "isolation-trap", severity: .error,
    title: "A queue or isolation check failed and ended the process",
    law: """
      Speaks of a crash inside a check: dispatchPrecondition, a main actor's or another actor's \
      isolation check, an affinity's requirement. The culprit is the callback below the check's own \
      frames; expected is what the check or the affinity said, where it said anything.
      """,
    cause: """
      Code that is isolated to one queue or actor was called from another, mostly by a callback whose \
      author took the queue for granted. On Linux the check dies by SIGILL without a word.
      """,
    evidence: "The crash's stack inside the check, its queue, the violation recorded just before.",
    mend: "Hop where the callback comes in; the check stays, it has told the truth.",
    triggers: "queue.async { MainActor.assumeIsolated { board.show() } }",
    spares: "queue.async { Task { @MainActor in board.show() } }")

  let interest = Interest(.violation)

  /// What the last violation on each thread expected: said just before the trap.
  private var expected: [Int: (text: String, when: UInt64)] = [:]

  func observe(_ event: Event, in scene: Scene) {
    guard let text = event.text("expected") else { return }
    if expected.count >= 4096 { expected.removeAll() }
    expected[event.thread] = (text, event.monotonic)
  }

  func finish(in scene: Scene) {
    guard let crash = CrashReading(in: scene), crash.isIsolationTrap else { return }
    scene.report(DraftKey(Self.about.id)) { finding(crash, scene) }
  }

  private func finding(_ crash: CrashReading, _ scene: Scene) -> Finding {
    let expected = expectation(crash)
    let queue = crash.queueName
    let name = crash.culprit.map { Words.capitalized(Words.name($0)) } ?? "Code"
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "\(name) ran on \(queue); \(expected) was expected, and the check ended the process",
      culprit: crash.culprit, api: crash.reading.touched?.place.function,
      mend: Mends.hop(crash.reading, culprit: crash.culprit), identity: "",
      defect: crash.culprit.map { "\($0.module) \($0.function)" } ?? "crash")
    finding.evidence = [
      Finding.Evidence(
        "\(Signals.name(of: crash.crash)) inside a check", place: crash.reading.check?.place)
    ]
    if let absence = crash.reading.absence { finding.evidence.append(absence) }
    let thread = crash.thread(in: scene)
    finding.cause = crash.reading.links.reversed().prefix(4).map { link in
      Finding.Step("ran", thread: thread, queue: crash.queue, place: link.frame.place)
    }
    finding.thread = crash.threadName(in: scene)
    finding.queue = crash.queue
    finding.wall = crash.crash.wall
    finding.nearby = scene.crumbs(before: crash.moment)
    return finding
  }

  private func expectation(_ crash: CrashReading) -> String {
    if let thread = crash.crash.thread?.ordinal, let said = expected[thread],
      crash.crash.monotonic &- said.when < 1_000_000_000
    {
      return "the \(said.text)"
    }
    if let said = crash.crash.expected { return said.hasPrefix("queue") ? said : "the \(said)" }
    let names = crash.frames.prefix { $0.role != .code }.map(\.place.function)
    if names.contains(where: { $0.contains("MainActor") }) { return "the main actor" }
    let isQueue = names.contains { $0.hasPrefix("_dispatchPreconditionTest") }
    return isQueue ? "another queue" : "another executor"
  }
}

import IncidentModel

/// Finds the code whose failed queue or isolation check ended the process.
final class IsolationTrap: Rule {
  static let about = RuleDescription(
    id: "isolation-trap", severity: .error,
    title: "A queue or isolation check failed and ended the process",
    firesWhen: """
      The process crashed inside a check: dispatchPrecondition, an isolation check of the main \
      actor or another actor, or an affinity that requires its queue. The culprit is the callback \
      that reached the check.
      """,
    cause: """
      A callback arrived on a queue that its author did not expect, and called code that is isolated \
      to one queue or actor. On Linux such a check dies with SIGILL and prints nothing.
      """,
    evidence: "The stack of the crash inside the check, its queue, and the violation just before.",
    fix: "Hop at the entry of the callback. Keep the check: it caught a real bug.",
    triggers: "queue.async { MainActor.assumeIsolated { board.show(prices) } }",
    spares: "queue.async { Task { @MainActor in board.show(prices) } }")

  let interest = Interest(.violation)

  private var violations = LastViolations()

  func observe(_ event: Event, in run: RunState) { violations.observe(event, in: run) }

  func finish(in run: EndedRun) {
    guard let crash = run.crash, crash.isIsolationTrap else { return }
    // CrashCause reports a check that failed within a late commit.
    if run.source.isForeignReport, crash.lateCommit(in: run) != nil { return }
    run.report(FindingKey(Self.about.id)) { finding(crash, run) }
  }

  private func finding(_ crash: CrashReading, _ run: RunState) -> Finding {
    let said = violations.said(by: crash)
    let check = FailedCheck(crash, said: said?.expected)
    let expected = check.expectation
    let queue = crash.queueName
    // Without symbols on the stack, use the place of the check in the violation.
    let isNamed = crash.reading.culprit?.isNamed ?? false
    let witness = WitnessTrap(crash.reading.touched?.place)
    let culprit = witness?.place ?? (isNamed ? crash.culprit : said?.site ?? crash.culprit)
    let name = culprit.map { DisplayText.capitalized(DisplayText.name($0)) } ?? "Code"
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: crash.handedOver(expecting: check)
        ?? "\(name) ran on \(queue); \(expected) was expected, and the check ended the process",
      culprit: culprit, api: crash.reading.touched?.place.function,
      fix: witness?.fix(check.home) ?? Fixes.hop(crash, culprit: culprit, check),
      identity: culprit == nil ? crash.identity : "",
      defect: culprit.map { "\($0.module) \($0.function)" } ?? "crash")
    finding.evidence = [
      Finding.Evidence(
        "\(crash.crash.name) inside a check", place: crash.reading.check?.place)
    ]
    finding.evidence += Self.whyChecked(crash)
    if let promise = crash.reading.promise { finding.evidence.append(promise) }
    if let absence = crash.reading.absence { finding.evidence.append(absence) }
    let thread = crash.thread(in: run)
    finding.cause = crash.reading.links.prefix(4).reversed().map { link in
      WitnessTrap.told(
        Finding.Step("ran", thread: thread, queue: crash.queue, place: link.frame.place))
    }
    if let change = UnseenChange(crash, check.home, in: run) {
      finding.culprit = nil
      (finding.title, finding.defect, finding.fix) = (change.title, UnseenChange.defect, change.fix)
    }
    finding.tell(of: crash, in: run)
    return finding
  }

  /// Returns evidence that explains a check that the compiler inserted at the culprit's entry;
  /// empty for other checks.
  static func whyChecked(_ crash: CrashReading) -> [Finding.Evidence] {
    guard let place = crash.reading.culprit?.place, Fixes.isAtEntry(crash) else { return [] }
    guard FunctionName(place.function).isClosure else {
      return [
        Finding.Evidence(
          "the compiler inserts this check at the function's entry, because the function or its type is isolated to the actor",
          place: place)
      ]
    }
    guard let body = SwiftBody(place) else { return [] }
    let isMarked = body.signature.contains("@") && body.signature.contains("Actor")
    var evidence = [
      Finding.Evidence(
        isMarked
          ? "the closure is isolated to the actor, which the compiler checks at the closure's entry"
          : "the closure is not @Sendable, so it inherits the actor of the enclosing code, which the compiler "
            + "checks at the closure's entry", place: place)
    ]
    if let path = place.file {
      let call = CodePlace(
        function: place.function, module: place.module, file: path,
        line: body.text.line(of: body.block.open))
      evidence.append(
        Finding.Evidence("this call took the closure", place: SourceLine.added(to: call)))
    }
    return evidence
  }
}

import IncidentModel

/// Finds the callback that came in off the main queue and went on to main-queue work.
final class UnhoppedCallback: Rule {
  static let about = RuleDescription(
    id: "unhopped-callback", severity: .error,
    title: "A callback reached main-queue work without a hop",
    firesWhen: """
      A callback, a closure or a delegate's method that other code called, has main-queue work \
      above it on its stack, off the main queue. Work that was sent to a queue directly is \
      left to off-main-ui.
      """,
    cause: """
      Libraries call back on queues of their own: downloads, stores, timers, permission \
      dialogs. Their documentation says so in a footnote, and tests answer at once, on the \
      main queue. The callback's author took the queue for granted.
      """,
    evidence: """
      The stack from the work out to the queue: the function touched, the callback, who called \
      it; and where the callback was registered, if that went through a hop or a recorded \
      affinity.
      """,
    fix: """
      Hop in the callback, before anything else, with a weak reference to what it updates. \
      Keep the check: it caught a real bug.
      """,
    triggers: """
      download.start { prices in board.show(prices) }   // called on the downloader's queue
      """,
    spares: """
      download.start { prices in DispatchQueue.main.async { board.show(prices) } }
      """)

  let interest = Interest(.violation)

  func observe(_ event: Event, in run: RunState) {
    guard event.hasStack else { return }
    let key = DraftKey(Self.about.id, event.messageBytes.contentHash, event.addresses.contentHash)
    if run.knows(key) { return run.count(key, at: event) }
    guard event.isCertain, run.reading(of: event).callback != nil else { return }
    guard let work = MisplacedWork(event, in: run),
      let callback = work.reading.callback, callback.isNamed
    else { return }
    run.report(key, at: event) { finding(work, callback, event, run) }
  }

  private func finding(
    _ work: MisplacedWork, _ callback: Frame, _ event: Event, _ run: RunState
  ) -> Finding {
    let queue = run.placeName(of: event, work.reading)
    let name = Words.capitalized(Words.name(callback.place))
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "\(name) is called on \(queue) and touches “\(work.api)” without a hop",
      culprit: work.culprit, api: work.api, fix: Fixes.hop(work),
      identity: work.touched?.function ?? "", defect: work.defect)
    if let sender = work.reading.sender {
      finding.evidence.append(
        Finding.Evidence("called by", place: sender.place))
    }
    if let promise = work.reading.promise { finding.evidence.append(promise) }
    finding.evidence.append(
      Finding.Evidence("the work belongs to the main queue", place: work.touched))
    if let registration = work.origins.first(where: { $0.isRegistration }) {
      finding.evidence.append(
        Finding.Evidence(Words.place(registration.text), place: registration.sender))
    }
    finding.cause = CauseChain.steps(work, event, run)
    return finding
  }
}

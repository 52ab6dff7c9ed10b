import IncidentModel

/// Finds a callback that arrived off the main queue and continued to main-queue work.
final class UnhoppedCallback: Rule {
  static let about = RuleDescription(
    id: "unhopped-callback", severity: .error,
    title: "A callback reached main-queue work without a hop",
    firesWhen: """
      Off the main queue, the stack of main-queue work contains a callback: a closure or a \
      delegate method that other code called. The rule off-main-ui covers work that was sent to a \
      queue directly.
      """,
    cause: """
      Libraries call back on their own queues: downloads, stores, timers, permission dialogs. \
      Tests often answer at once on the main queue, and hide the difference.
      """,
    evidence: """
      The stack from the work out to the queue: the touched function, the callback and its caller; \
      and the place that registered the callback, if a hop or an affinity recorded it.
      """,
    fix: """
      Hop at the beginning of the callback, with a weak reference to the object that it updates. \
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
    let key = FindingKey(Self.about.id, event.messageBytes.contentHash, event.addresses.contentHash)
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
    let name = DisplayText.capitalized(DisplayText.name(callback.place))
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
        Finding.Evidence(DisplayText.place(registration.text), place: registration.sender))
    }
    finding.cause = CauseChain.steps(work, event, run)
    return finding
  }
}

import IncidentModel

/// Finds UI work off the main queue, of any origin.
final class OffMainUI: Rule {
  static let about = RuleDescription(
    id: "off-main-ui", severity: .error,
    title: "UI work ran off the main queue",
    firesWhen: """
      Marked UI work ran off the main queue, or a stack inside a UI framework was recorded there. \
      The rule wrong-executor covers other work of the main queue. The rule needs a certain \
      verdict about the queue.
      """,
    cause: """
      UI state has no locks: only one queue may touch it. Off that queue a layout reads values \
      while another thread writes them. In the background, the system's own layout makes a crash \
      more likely, far from the cause.
      """,
    evidence: """
      The stack, queue and thread of the violation; the queue of the marked work; the frames of \
      the framework.
      """,
    fix: "Send the work to the main queue at the entry of the callback.",
    triggers: """
      DispatchQueue.global().async { uiWork("layout") { board.layOut() } }
      """,
    spares: """
      DispatchQueue.global().async { DispatchQueue.main.async { uiWork("layout") { board.layOut() } } }
      """)

  let interest: Interest = [Interest(.violation, .uiWork), .stackOffMain]

  /// The findings of violations by the place of their check: marked UI work at the same place adds
  /// no information.
  private var keys = SiteKeys()

  func observe(_ event: Event, in run: RunState) {
    switch event.kind {
    case .violation: if !run.isUIWork(event) { return }
    case .uiWork: if !event.isOffMain { return }
    default: if !run.isInUIFramework(event) { return }
    }
    let isSited = event.kind == .violation || event.kind == .uiWork
    let site = isSited ? SiteKeys.hash(event) : 0
    if event.kind == .uiWork, let key = keys[site] { return run.count(key, at: event) }
    let key = FindingKey(Self.about.id, site, event.addresses.contentHash)
    if run.knows(key) { return run.count(key, at: event) }
    guard event.isCertain, let work = MisplacedWork(event, in: run) else { return }
    if isSited { keys.add(key, at: site) }
    run.report(key, at: event) { finding(work, event, run) }
  }

  private func finding(_ work: MisplacedWork, _ event: Event, _ run: RunState) -> Finding {
    let queue = run.placeName(of: event, work.reading)
    let main = run.mainName(of: event, work.reading)
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "\(work.words) ran on \(queue), off \(main)",
      culprit: work.culprit, api: work.api, fix: Fixes.hop(work),
      identity: work.touched?.function ?? (work.culprit == nil ? work.api : ""), defect: work.defect
    )
    finding.evidence = [
      Finding.Evidence(
        "ran on \(queue)" + (queue.contains("thread") ? "" : ", \(run.thread(event.thread))"),
        place: work.touched)
    ]
    if let absence = work.reading.absence, work.site == nil { finding.evidence.append(absence) }
    finding.cause = CauseChain.steps(work, event, run)
    if let story = work.lateCommit(event, in: run) {
      finding.title = story.title("")
      // In a report of another tool, the crash is known from the start.
      finding.evidence = story.evidence(CrashReading(in: run), run.nearby(event), in: run)
      finding.cause = []
    } else if let crash = CrashReading(in: run), crash.crash.thread?.ordinal == event.thread,
      let change = UnseenChange(crash, work.home, in: run)
    {
      finding.culprit = nil
      (finding.title, finding.defect, finding.fix) = (change.title, UnseenChange.defect, change.fix)
      finding.evidence = change.evidence(crash, run.nearby(event), in: run)
      finding.cause = []
    }
    return finding
  }
}

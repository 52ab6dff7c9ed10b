import IncidentModel
import CLogFormat

/// Finds UI work while the app is in the background, on any queue.
final class UIAfterBackground: Rule {
  static let about = RuleDescription(
    id: "ui-after-background", severity: .error,
    title: "UI work ran after the process had entered the background",
    firesWhen: """
      Marked UI work, or a violation of the main queue's affinity, began after “did enter \
      background” and before the next foreground, on any queue.
      """,
    cause: """
      A download, a timer or a background task ends after the transition, and its callback updates \
      a hidden screen. The system takes its snapshot or has removed access to the graphics: layout \
      is wasted at best, and a crash at worst.
      """,
    evidence: """
      The crumb of the transition, the crumb of the work with the time between them, and the open \
      background tasks.
      """,
    fix: """
      Keep the result and show it at the next foreground; or hop to the main queue and check there \
      whether the screen is visible.
      """,
    triggers: """
      recorder.recordLifecycle(.didEnterBackground)
      uiWork("layout") { board.layOut() }
      """,
    spares: """
      recorder.recordLifecycle(.didEnterBackground)
      recorder.recordLifecycle(.willEnterForeground)
      uiWork("layout") { board.layOut() }
      """)

  let interest = Interest(.violation, .uiWork)

  /// The findings of violations by the place of their check: marked UI work at the same place adds
  /// no information.
  private var keys = SiteKeys()

  func observe(_ event: Event, in run: RunState) {
    guard run.lifecycle.phase == .background else { return }
    let site = SiteKeys.hash(event)
    if event.kind == .uiWork {
      let lasted = UInt64(clamping: event.integer(MS_KEY_NANOSECONDS) ?? 0)
      guard event.monotonic > run.lifecycle.since.monotonic &+ lasted else { return }
      if let key = keys[site] { return run.count(key, at: event) }
    }
    let key = FindingKey(Self.about.id, site, event.addresses.contentHash)
    if run.knows(key) { return run.count(key, at: event) }
    guard let work = MisplacedWork(event, in: run) ?? MisplacedWork(onMain: event) else { return }
    keys.add(key, at: site)
    run.report(key, at: event) { finding(work, event, run) }
  }

  /// Reports a failed main-queue check that ended the process, for which there is no crumb.
  func finish(in run: EndedRun) {
    guard run.lifecycle.phase == .background, let crash = run.crash,
      crash.isIsolationTrap, crash.crash.expected.flatMap(Home.init(expected:))?.isOfMain == true
    else { return }
    run.report(FindingKey(Self.about.id, 1)) { finding(crash, run) }
  }

  private func finding(_ crash: CrashReading, _ run: RunState) -> Finding {
    let late = run.lifecycle.since.time(until: crash.moment)
    let name =
      crash.culprit.map { DisplayText.capitalized(DisplayText.name($0)) } ?? "Main-queue work"
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "\(name) ran \(Self.when(late, run))",
      culprit: crash.culprit, api: crash.reading.touched?.place.function,
      fix: fix(Fixes.hop(crash.reading, culprit: crash.culprit)), identity: "trap",
      defect: crash.culprit.map { "\($0.module) \($0.function)" } ?? "crash")
    finding.evidence = [
      Finding.Evidence(Self.said(late, run)),
      Finding.Evidence("ran on \(crash.queueName) in a check of the main queue"),
    ]
    finding.tell(of: crash, in: run)
    return finding
  }

  private func finding(_ work: MisplacedWork, _ event: Event, _ run: RunState) -> Finding {
    let late = run.lifecycle.since.time(until: event.moment)
    let tasks = run.tasks.newest
    let during = tasks.last.map { " while background task “\($0.name)” ran" } ?? ""
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "“\(work.api)” ran \(Self.when(late, run))\(during)",
      culprit: work.culprit, api: work.api, fix: fix(work),
      identity: work.touched?.function ?? work.api, defect: work.defect)
    finding.evidence = [
      Finding.Evidence(Self.said(late, run)),
      Finding.Evidence("ran on \(run.queueName(event.queue?.label))", place: work.touched),
    ]
    finding.evidence += tasks.map { task in
      let since = TimeSpan.text(nanoseconds: event.monotonic &- task.begun)
      return Finding.Evidence(
        "background task “\(task.name)” had been running for \(since)", place: task.place)
    }
    finding.cause = CauseChain.steps(work, event, run)
    return finding
  }

  /// Returns the time relative to the transition. A report may state that the process was in the
  /// background, but not since when.
  private static func when(_ late: String?, _ run: RunState) -> String {
    run.lifecycle.since.isTold || !run.lifecycle.last.isEmpty
      ? "\(ago(late))after the process entered the background"
      : "while the process was in the background"
  }

  private static func said(_ late: String?, _ run: RunState) -> String {
    run.lifecycle.since.isTold || !run.lifecycle.last.isEmpty
      ? "“\(MS_WORD_DID_ENTER_BACKGROUND)” came \(ago(late))before"
      : "the report says that the process was in the background"
  }

  /// Returns `time` with a trailing space, to precede “before” or “after”; empty if the time is
  /// unknown.
  private static func ago(_ time: String?) -> String { time.map { "\($0) " } ?? "" }

  /// Returns advice without an edit, because a hop alone would leave the work in the background.
  private func fix(_ hop: Finding.Fix) -> Finding.Fix {
    Finding.Fix(hop.text + " " + Fixes.keepForLater)
  }

  private func fix(_ work: MisplacedWork) -> Finding.Fix {
    guard !work.isOnMain else {
      return Finding.Fix(
        "Do no UI work in the background: keep the result, and show it at the next foreground transition."
      )
    }
    return fix(Fixes.hop(work))
  }
}

import IncidentModel
import CLogFormat

/// Finds code that blocks the main queue for too long.
final class MainBlocked: Rule {
  static let about = RuleDescription(
    id: "main-blocked", severity: .warning,
    title: "The main queue was held for too long",
    firesWhen: """
      Marked UI work held the main queue for 250 ms or longer; or Xcode's Thread Performance Checker \
      reported a wait there; or, as an error, a hang was recorded, by default after 2 s. If the \
      machine gave a runnable main queue no processor, the finding is a warning without a culprit. \
      If its thread waits for a lock, the culprit is the owner of the lock. A report of a hang \
      counts if its stacks show the program's own code on the main thread, and so does a dump of \
      threads in which that code waits there. In a picture of a process, tasks wait for their turn \
      on the main queue while its thread is blocked.
      """,
    cause: """
      The main queue runs work that waits for a file, a lock or an answer. Hops, timers and input \
      are late meanwhile.
      """,
    evidence: "The duration in the crumb of the work; the stack of the hang or of the checker.",
    fix: "Wait on another queue, and hop to the main queue with the result.",
    triggers: """
      DispatchQueue.main.async { uiWork("layout") { board.layOut(readingFrom: disk) } }
      """,
    spares: """
      queue.async {
        let rows = disk.read()
        DispatchQueue.main.async { uiWork("layout") { board.layOut(rows) } }
      }
      """)

  let interest = Interest(.uiWork, .hang, .error)

  private var held = HeldExecutors(MainBlocked.about, .mainQueue)

  func observe(_ event: Event, in run: RunState) {
    if event.kind == .hang { return held.observe(event, in: run) }
    if event.kind == .error {
      guard event.category == Event.performanceChecker else { return }
      let key = FindingKey(Self.about.id, event.addresses.contentHash)
      return run.report(key, at: event) { finding(checked: event, run) }
    }
    guard event.marks.contains(.onMain),
      let held = event.integer(MS_KEY_NANOSECONDS).map({ UInt64(clamping: $0) }),
      held >= run.options.thresholds.mainBlocked
    else { return }
    let key = FindingKey(Self.about.id, SiteKeys.hash(event), event.addresses.contentHash)
    run.report(key, at: event) { finding(event, held, run) }
  }

  func finish(in run: EndedRun) {
    held.finish(in: run)
    run.picture?.reportHeldMain(Self.about, in: run)
  }

  private func finding(_ event: Event, _ time: UInt64, _ run: RunState) -> Finding {
    let reading = run.reading(of: event)
    let culprit = MisplacedWork.site(of: event) ?? reading.touched?.place
    return finding(
      by: "“\(event.message)”", culprit, " for \(TimeSpan.text(nanoseconds: time))",
      Self.about.severity,
      event.message)
  }

  private func finding(checked event: Event, _ run: RunState) -> Finding {
    let reading = run.reading(of: event)
    let culprit = reading.culprit?.place
    let name = culprit.map(DisplayText.name) ?? reading.nearestLibrary?.place.module ?? "code"
    var finding = self.finding(by: name, culprit, "", Self.about.severity, "checked")
    finding.title =
      "\(DisplayText.capitalized(name)) may hold the main queue, according to the \(event.category)"
    finding.evidence = [Finding.Evidence(event.message)] + (reading.absence.map { [$0] } ?? [])
    return finding
  }

  private func finding(
    by name: String, _ culprit: CodePlace?, _ time: String, _ severity: Severity, _ identity: String
  ) -> Finding {
    Finding(
      rule: Self.about.id, severity: severity,
      title: "\(DisplayText.capitalized(name)) held the main queue\(time)", culprit: culprit,
      api: identity == "checked" ? nil : identity,
      fix: Finding.Fix(
        "Do the work on another queue, and hop to the main queue with the result."),
      identity: identity,
      defect: culprit.map { "\($0.module) \($0.function)" } ?? identity)
  }
}

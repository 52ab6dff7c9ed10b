import IncidentModel
import CLogFormat

/// Finds code that ran off the queue, actor or thread that its affinity names.
final class WrongExecutor: Rule {
  static let about = RuleDescription(
    id: "wrong-executor", severity: .error,
    title: "Code ran off the queue, actor or thread it belongs to",
    firesWhen: """
      Code that belongs to a queue, an actor, a thread or the main queue ran elsewhere. The rule \
      off-main-ui covers UI work off the main queue. The rule needs a certain verdict about the \
      place.
      """,
    cause: """
      Only one queue or actor may touch state without locks. A callback, a request handler or a \
      task reaches it from elsewhere, and two threads use the state at once.
      """,
    evidence: """
      The stack, queue, thread and task of the violation; the place that the affinity expects; for \
      a hop, the sender of the call.
      """,
    fix: """
      Send the call to the owner of the state: affinity.async, queue.async, await actor.method(), \
      or a hop for a callback. Keep the check: it caught a real bug.
      """,
    triggers: """
      // save(_:) begins with home.expect("rows are saved"); home is a queue's affinity
      DispatchQueue.global().async {
        repository.save(["apples"])
      }
      """,
    spares: """
      DispatchQueue.global().async {
        repository.home.async { repository.save(["apples"]) }
      }
      """)

  let interest = Interest(.violation)

  func observe(_ event: Event, in run: RunState) {
    guard !run.isUIWork(event) else { return }
    let key = FindingKey(Self.about.id, SiteKeys.hash(event), event.addresses.contentHash)
    if run.knows(key) { return run.count(key, at: event) }
    guard event.isCertain, let work = MisplacedWork(anywhere: event, in: run) else { return }
    run.report(key, at: event) { finding(work, event, run) }
  }

  private func finding(_ work: MisplacedWork, _ event: Event, _ run: RunState) -> Finding {
    let queue = run.queueName(event.queue?.label)
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "\(work.words) ran on \(queue); it belongs to \(work.home.words)",
      culprit: work.culprit, api: work.api, fix: Fixes.hop(work),
      identity: "\(work.home.key) \(work.touched?.function ?? "")", defect: work.defect)
    finding.home = Self.told(work.home)
    finding.evidence = [
      Finding.Evidence("ran on \(queue), \(run.thread(event.thread))", place: work.touched)
    ]
    if let task = Self.task(of: event) {
      finding.evidence.append(Finding.Evidence("in \(task.words)", isDetail: true))
      if let name = task.name { finding.evidence.append(Finding.Evidence("in the task “\(name)”")) }
    }
    finding.evidence += work.origins.map {
      Finding.Evidence(DisplayText.place($0.text), place: $0.sender)
    }
    finding.cause = CauseChain.steps(work, event, run)
    return finding
  }

  private static func task(of event: Event) -> CrashTask? {
    guard let id = event.integer(MS_KEY_TASK).flatMap(UInt64.init(exactly:)) else { return nil }
    var task = CrashTask(id: id)
    task.name = event.text(MS_KEY_TASK_NAME)
    return task
  }

  private static func told(_ home: Home) -> Finding.Home? {
    switch home {
    case .main, .mainActor: Finding.Home(.main)
    case .queue(let label): Finding.Home(.queue, name: label)
    case .actor(let name): Finding.Home(.actor, name: name)
    default: nil
    }
  }
}

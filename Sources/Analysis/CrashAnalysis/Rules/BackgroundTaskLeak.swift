import IncidentModel
import CLogFormat

/// Finds background tasks that were not ended in time.
final class BackgroundTaskLeak: Rule {
  static let about = RuleDescription(
    id: "background-task-leak", severity: .warning,
    title: "A background task was not ended in time",
    firesWhen: """
      A background task expired and was not ended at once; or a task that began within 10 s of the \
      move to the background was still open when the process, in the background, exited or was \
      asked to end. A task that a crash interrupts does not count.
      """,
    cause: """
      The work ends the task on one path only, and not after an error, a cancellation or the \
      expiry. The system kills processes whose tasks do not end.
      """,
    evidence: """
      The crumbs of the beginning, the expiry and the end, and the code that began the task.
      """,
    fix: "End the task on every path, and stop the work at its expiry.",
    triggers: """
      let task = recorder.beginBackgroundTask("sync", expiringAfter: .seconds(30))
      upload { if $0.isOk { task.end() } }        // never, if the upload fails
      """,
    spares: """
      let task = recorder.beginBackgroundTask("sync", expiringAfter: .seconds(30))
      upload { _ in task.end() }
      """)

  let interest = Interest(.backgroundTask)

  func observe(_ event: Event, in run: RunState) {
    guard event.text(MS_KEY_STEP).flatMap(TaskStep.init) == .end,
      let id = event.integer(MS_KEY_TASK),
      let task = run.tasks.open[id], let expired = task.expired
    else { return }
    let late = event.monotonic &- expired
    guard late > run.options.thresholds.expiredGrace else { return }
    run.report(FindingKey(Self.about.id, task.name.hashValue, 1), at: event) {
      finding(
        task, "continued for \(TimeSpan.text(nanoseconds: late)) after it had expired", .error,
        "expired", run)
    }
  }

  func finish(in run: EndedRun) {
    for task in run.tasks.inOrder {
      if let expired = task.expired {
        let age = run.lastMonotonic &- expired
        guard run.ending != .running || age > run.options.thresholds.expiredGrace else {
          continue
        }
        run.report(FindingKey(Self.about.id, task.name.hashValue, 1)) {
          finding(task, "expired and was never ended", .error, "expired", run)
        }
      } else if isLeaked(task, run) {
        run.report(FindingKey(Self.about.id, task.name.hashValue, 2)) {
          finding(task, "was never ended", Self.about.severity, "open", run)
        }
      }
    }
  }

  private func isLeaked(_ task: TaskJoin.Open, _ run: EndedRun) -> Bool {
    guard run.ending == .clean || run.ending.isOnRequest, run.lifecycle.phase == .background
    else { return false }
    let since = run.lifecycle.since.monotonic
    let distance = task.begun > since ? task.begun - since : since - task.begun
    return distance <= run.options.thresholds.nearTransition
  }

  private func finding(
    _ task: TaskJoin.Open, _ what: String, _ severity: Severity, _ identity: String,
    _ run: RunState
  ) -> Finding {
    var finding = Finding(
      rule: Self.about.id, severity: severity, title: "Background task “\(task.name)” \(what)",
      culprit: task.place, api: task.name,
      fix: Finding.Fix(
        "End “\(task.name)” on every path of its work, and stop the work when the task expires."),
      identity: "\(task.name) \(identity)", defect: "task \(task.name)")
    finding.thread = run.threadName(task.thread)
    finding.queue = task.queue
    finding.wall = task.wall
    finding.cause = [
      Finding.Step(
        "begun", thread: run.thread(task.thread), queue: task.queue, place: task.place)
    ]
    if let expired = task.expired {
      let after = TimeSpan.text(nanoseconds: expired &- task.begun)
      finding.evidence.append(Finding.Evidence("the task expired \(after) after it began"))
    }
    if run.lifecycle.phase == .background {
      let since = run.lifecycle.since.monotonic
      let side = task.begun < since ? "before" : "after"
      let distance = TimeSpan.text(
        nanoseconds: task.begun < since ? since - task.begun : task.begun - since)
      finding.evidence.append(
        Finding.Evidence(
          "the task began \(distance) \(side) “\(MS_WORD_DID_ENTER_BACKGROUND)”"))
    }
    return finding
  }
}

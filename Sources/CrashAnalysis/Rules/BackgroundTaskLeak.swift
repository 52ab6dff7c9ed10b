import IncidentModel

/// Finds background tasks that outlive their welcome.
final class BackgroundTaskLeak: Rule {
  static let about = RuleDescription(
    id: "background-task-leak", severity: .warning,
    title: "A background task was not ended in time",
    law: """
      Speaks of each background task that expired and was not ended at once, and of each that was \
      begun within 10 s of the transition to the background and was still open when the process, in \
      the background, exited or was told to end. A task that a crash cut off is left alone.
      """,
    cause: """
      The task is ended on one way out of its work only: not on an error, not on a cancellation, not \
      when it expires. The system kills processes whose tasks do not end.
      """,
    evidence: "The crumbs of its begin, of its expiry and of its end, and who began it.",
    mend: "End the task on every way out, and stop the work when it expires.",
    triggers: """
      let task = recorder.beginBackgroundTask("sync", expires: .seconds(30))
      upload { if $0.isOk { task.end() } }                    // never, if the upload fails
      """,
    spares: """
      let task = recorder.beginBackgroundTask("sync", expires: .seconds(30))
      upload { _ in task.end() }
      """)

  let interest = Interest(.backgroundTask)

  func observe(_ event: Event, in scene: Scene) {
    guard TaskJoin.Step(event) == .end, let id = event.integer("task"),
      let task = scene.tasks.open[id], let expired = task.expired
    else { return }
    let late = event.monotonic &- expired
    guard late > scene.options.thresholds.expiredGrace else { return }
    scene.report(DraftKey(Self.about.id, task.name.hashValue, 1), at: event) {
      finding(
        task, "went on for \(Words.duration(late)) after it had expired", .error, "expired", scene)
    }
  }

  func finish(in scene: Scene) {
    for task in scene.tasks.inOrder {
      if let expired = task.expired {
        let age = scene.lastMonotonic &- expired
        guard scene.ending != .running || age > scene.options.thresholds.expiredGrace else {
          continue
        }
        scene.report(DraftKey(Self.about.id, task.name.hashValue, 1)) {
          finding(task, "expired and was never ended", .error, "expired", scene)
        }
      } else if isLeaked(task, scene) {
        scene.report(DraftKey(Self.about.id, task.name.hashValue, 2)) {
          finding(task, "was never ended", Self.about.severity, "open", scene)
        }
      }
    }
  }

  private func isLeaked(_ task: TaskJoin.Open, _ scene: Scene) -> Bool {
    guard scene.ending == .clean || scene.ending == .told, scene.lifecycle.phase == .background
    else { return false }
    let since = scene.lifecycle.since.monotonic
    let distance = task.begun > since ? task.begun - since : since - task.begun
    return distance <= scene.options.thresholds.nearTransition
  }

  private func finding(
    _ task: TaskJoin.Open, _ what: String, _ severity: Severity, _ identity: String,
    _ scene: Scene
  ) -> Finding {
    var finding = Finding(
      rule: Self.about.id, severity: severity, title: "Background task “\(task.name)” \(what)",
      culprit: task.place, api: task.name,
      mend: Finding.Mend(
        "End “\(task.name)” on every way out of its work, and stop the work when it expires.",
        sketch: ["let task = recorder.beginBackgroundTask(…)", "defer { task.end() }"]),
      identity: "\(task.name) \(identity)", defect: "task \(task.name)")
    finding.thread = scene.threadName(task.thread)
    finding.queue = task.queue
    finding.wall = task.wall
    finding.cause = [
      Finding.Step(
        "begun", thread: scene.thread(task.thread), queue: task.queue, place: task.place)
    ]
    if let expired = task.expired {
      let after = Words.duration(expired &- task.begun)
      finding.evidence.append(Finding.Evidence("it expired \(after) after it was begun"))
    }
    if scene.lifecycle.phase == .background {
      let since = scene.lifecycle.since.monotonic
      let side = task.begun < since ? "before" : "after"
      let distance = Words.duration(task.begun < since ? since - task.begun : task.begun - since)
      finding.evidence.append(
        Finding.Evidence("it was begun \(distance) \(side) “did enter background”"))
    }
    return finding
  }
}

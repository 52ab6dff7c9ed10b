import IncidentModel

/// Finds actors and tasks that wait for each other.
final class ActorCycle: Rule {
  static let about = RuleDescription(
    id: "actor-cycle", severity: .error,
    title: "Actors or tasks waited for each other",
    firesWhen: """
      In a picture of a process, each of several tasks, actors and threads waits for the next one, \
      and the last one waits for the first. A task waits for the result of another task or for its \
      turn on an actor; an actor waits for the thread that runs on it; a thread waits for a queue, \
      a lock, the end of a thread, or a signal to which a task or another thread refers.
      """,
    cause: """
      Code on an actor blocks its thread, by a semaphore or a lock, until a task is done that needs \
      the actor. An await releases the actor; a blocked thread keeps it. Or two tasks await the \
      results of each other.
      """,
    evidence: "The resource that each party holds and the one that it waits for, with its place.",
    fix: "Await instead of blocking. Remove one of the two waits between tasks.",
    triggers: """
      actor Account {
        var balance = 0
        func settle() {
          let done = DispatchSemaphore(value: 0)
          Task { balance += 1; done.signal() }
          done.wait()
        }
      }
      """,
    spares: """
      actor Account {
        var balance = 0
        func settle() async {
          await Task { balance += 1 }.value
        }
      }
      """)

  let interest = Interest()

  func finish(in run: EndedRun) {
    guard let picture = run.picture else { return }
    for circle in picture.circles where Self.isOfTasks(circle) {
      run.report(FindingKey(Self.about.id, circle.hashValue)) { finding(circle, picture) }
    }
  }

  /// Whether an actor takes part, or a task that waits for another one: a task that needs a queue needs its thread.
  static func isOfTasks(_ circle: [WaitGraph.Node]) -> Bool {
    circle.indices.contains { index in
      switch (circle[index], circle[(index + 1) % circle.count]) {
      case (.actor, _): true
      case (.task, .thread), (.task, .queue): false
      case (.task, _): true
      default: false
      }
    }
  }

  private func finding(_ circle: [WaitGraph.Node], _ picture: PictureReading) -> Finding {
    let steps = picture.steps(of: circle)
    let culprit = steps.lazy.compactMap(\.place).first
    let held = circle.filter { !$0.isParty }
    let blocked = picture.signalWait(in: circle)
    let name = (blocked ?? culprit).map(DisplayText.name) ?? "code"
    let title =
      switch held.count {
      case 0 where steps.count == 1: "A task waits for itself in \(name)"
      case 0: "\(steps.count) tasks wait for each other in \(name)"
      case 1:
        "\(DisplayText.capitalized(name)) blocks \(picture.name(of: held[0])) while waiting for work that needs it"
      default:
        "\(DisplayText.capitalized(name)) and others wait for each other: "
          + Set(held.map(picture.name(of:))).sorted().joined(separator: ", ")
      }
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity, title: title,
      culprit: blocked ?? culprit, api: nil,
      fix: Finding.Fix(
        held.isEmpty
          ? "Remove one of the waits: the task whose result is needed first must not wait for the other task."
          : "Await in \(name) instead of blocking: a task’s value, or a continuation. A blocked thread keeps its actor; "
            + "an await releases it."),
      identity: "circle", defect: "circle \((blocked ?? culprit)?.function ?? "")")
    finding.cause = steps
    finding.evidence = [picture.certainty(of: circle)]
    if let waiters = picture.waiters(for: circle) { finding.evidence.append(waiters) }
    finding.lastsToEnd = true
    return finding
  }
}

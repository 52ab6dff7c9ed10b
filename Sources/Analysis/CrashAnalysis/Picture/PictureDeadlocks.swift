import IncidentModel

/// Finds threads of a picture that wait for each other's queues, locks and signals.
extension PictureReading {
  func reportDeadlocks(_ about: RuleDescription, in run: EndedRun) {
    for circle in circles where !ActorCycle.isOfTasks(circle) {
      run.report(FindingKey(about.id, circle.hashValue)) { deadlock(circle, about) }
    }
  }

  private func deadlock(_ circle: [WaitGraph.Node], _ about: RuleDescription) -> Finding {
    let steps = steps(of: circle)
    let places = steps.compactMap(\.place)
    let held = circle.filter { !$0.isParty }.map(name(of:))
    let who = steps.count == 1 ? "A thread waits" : "\(Self.number(steps.count)) threads wait"
    let what = steps.count == 1 ? "itself" : "each other"
    let first = places.first.map { " in \(DisplayText.name($0))" } ?? ""
    let second =
      places.count > 1 && places[1] != places[0] ? " and \(DisplayText.name(places[1]))" : ""
    let isOfTask = circle.contains { if case .task = $0 { true } else { false } }
    let blocked = places.first.map(DisplayText.name) ?? "code"
    var finding = Finding(
      rule: about.id, severity: about.severity,
      title: isOfTask && !held.isEmpty
        ? "\(DisplayText.capitalized(blocked)) blocks \(held[0]) until work is done that needs it"
        : "\(who) for \(what)\(first)\(second)", culprit: places.first, api: nil,
      fix: fix(circle), identity: "picture", defect: "deadlock")
    finding.cause = self.steps(of: circle, withCallers: true)
    finding.evidence = [certainty(of: circle)]
    if !held.isEmpty {
      finding.evidence.append(
        Finding.Evidence("the threads hold \(Set(held).sorted().joined(separator: ", "))"))
    }
    if let waiters = waiters(for: circle) { finding.evidence.append(waiters) }
    finding.lastsToEnd = true
    return finding
  }

  private func fix(_ circle: [WaitGraph.Node]) -> Finding.Fix {
    let locks = circle.contains { if case .lock = $0 { true } else { false } }
    if let blocked = signalWait(in: circle) {
      return Finding.Fix(
        "Do not block in \(DisplayText.name(blocked)): continue in a completion handler, or with notify of a dispatch group."
      )
    }
    if locks {
      return Finding.Fix(
        "Take the locks in the same order everywhere, or release the first before taking the second."
      )
    }
    return Finding.Fix(
      "Enter the queues in the same order everywhere, or leave the first queue before calling the second."
    )
  }

  private static func number(_ count: Int) -> String {
    switch count {
    case 2: "Two"
    case 3: "Three"
    default: "\(count)"
    }
  }
}

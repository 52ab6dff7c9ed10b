import IncidentModel

extension SyncDeadlock {
  /// Returns the finding about a wait cycle, with the steps of each thread in order.
  func finding(_ circle: WaitCircle, _ crash: CrashReading?, _ run: EndedRun) -> Finding {
    let members = circle.members
    let culprit = members[0].call
    let names = members.map(\.heldWords)
    let areQueues = members.allSatisfy(\.held.isQueue)
    let who =
      members.count == 2 ? (areQueues ? "Two queues" : "Two threads") : "\(members.count) threads"
    let list =
      Set(names).count == 1
      ? "\(names[0]) and another of the same name" : names.joined(separator: " and ")
    var finding = Finding(
      rule: Self.about.id, severity: circle.areOnly ? Self.about.severity : .warning,
      title: "\(who) waited for each other in \(DisplayText.name(culprit)): \(list)",
      culprit: culprit, api: members[0].thread.thread.queue?.label, fix: fix(members),
      identity: "queues", defect: "deadlock")
    finding.cause = members.flatMap { steps($0, awaited: $0.awaited.words, in: run) }
    finding.evidence = [
      Finding.Evidence(
        "each waits for the other: the lines below take \(areQueues ? "these queues" : "these locks"), and "
          + "no third thread was seen to hold \(members.count == 2 ? "either" : "any") of them")
    ]
    if !circle.areOnly {
      finding.evidence.append(
        Finding.Evidence(
          "the source identifies these only by type: whether the threads used the same objects is not recorded"
        ))
    }
    if circle.others > 0 {
      finding.evidence.append(
        Finding.Evidence(
          "\(circle.others) other \(circle.others == 1 ? "thread" : "threads") waited for one of these"
        ))
    }
    finding.wall = crash?.crash.wall ?? run.end.wall
    finding.nearby = run.crumbs(before: crash?.moment ?? run.end)
    finding.lastsToEnd = true
    return finding
  }

  private func steps(
    _ member: WaitCircle.Member, awaited: String, in run: RunState
  ) -> [Finding.Step] {
    let thread = member.thread.name(in: run)
    let queue = member.thread.thread.queue?.label
    func step(_ text: String, _ place: CodePlace) -> Finding.Step {
      Finding.Step(text, thread: thread, queue: queue, place: place)
    }
    var steps = [step("holds \(member.heldWords)", member.heldAt)]
    let isOwn = member.call.line == member.heldAt.line || member.call.line == member.waitsAt.line
    if !isOwn { steps.append(step("ran", member.call)) }
    return steps + [step("waits for \(awaited)", member.waitsAt)]
  }

  private func fix(_ members: [WaitCircle.Member]) -> Finding.Fix {
    let calls = members.compactMap(\.call.shortPosition)
    guard members.count == 2, calls.count == 2, calls[0] != calls[1] else {
      return Finding.Fix(
        "Take these in the same order on all threads, or release the first before waiting for the next."
      )
    }
    let ways = members.map { member in
      "\(member.call.shortPosition ?? "") while \(member.heldWords) (\(member.heldAt.shortPosition ?? "")) is not held"
    }
    return Finding.Fix(
      "Take the two in the same order: make the call at \(ways[0]), or the call at \(ways[1]).")
  }
}

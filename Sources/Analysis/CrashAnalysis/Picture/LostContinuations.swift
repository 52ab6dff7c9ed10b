import IncidentModel

/// Finds tasks of a picture that wait for a continuation to which no memory refers: no code can
/// resume it.
extension PictureReading {
  func reportLostContinuations(_ about: RuleDescription, in run: EndedRun) {
    var lost: [CodePlace: [PictureTask]] = [:]
    for task in tasks.tasks {
      guard case .waiting(.continuation(let references?)) = task.state else { continue }
      let reading = reading(task.stack)
      guard !reading.isAsleep, let own = reading.awaiting.first else { continue }
      let place = SourceLine.added(to: own.frame.place)
      guard references.areNone(isChecked: isChecked(task.stack)) else { continue }
      lost[place, default: []].append(task)
    }
    for (place, waiting) in lost {
      run.report(FindingKey(about.id, place.hashValue), count: waiting.count) {
        finding(lostIn: place, waiting, about)
      }
    }
  }

  /// True if the continuation is a checked one, according to the functions between the program's
  /// own code and the wait. The source may have changed since the build.
  private func isChecked(_ stack: Stack) -> Bool {
    frames(of: stack).prefix { $0.role != .code }.contains {
      $0.place.function.contains("withChecked")
    }
  }

  private func finding(
    lostIn place: CodePlace, _ waiting: [PictureTask], _ about: RuleDescription
  ) -> Finding {
    let name = DisplayText.name(place)
    let ids = waiting.map(\.id)
    var finding = Finding(
      rule: about.id, severity: about.severity,
      title:
        "\(DisplayText.capitalized(name)) lost its continuation: \(count(ids)) never \(ids.count == 1 ? "goes" : "go") on",
      culprit: place, api: nil,
      fix: Finding.Fix(
        "Resume the continuation of \(name) on every way out, before the last reference to it goes."
      ),
      identity: place.function, defect: "continuation \(place.function)")
    finding.evidence = [
      Finding.Evidence(
        "nothing in the process’s memory refers to the continuation: no code can resume it any more"
      )
    ]
    let handles = waiting.map { task -> Int in
      if case .waiting(.continuation(let references?)) = task.state {
        references.handles
      } else {
        0
      }
    }
    if handles.contains(where: { $0 > 0 }) {
      finding.evidence.append(
        Finding.Evidence(
          "handles of the task are kept, by which it can be cancelled but not resumed"))
    }
    let callers = Array(reading(waiting[0].stack).awaiting.dropFirst().prefix(3))
    finding.cause =
      callers.reversed().map { link in
        Finding.Step("awaits", thread: taskName(ids[0]), queue: nil, place: link.frame.place)
      } + [
        Finding.Step("waits for a continuation", thread: taskName(ids[0]), queue: nil, place: place)
      ]
    if let waiters = waiters(for: ids.map { .task($0) }) { finding.evidence.append(waiters) }
    finding.lastsToEnd = true
    return finding
  }
}

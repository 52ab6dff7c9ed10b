import IncidentModel

/// Finds tasks of a picture that wait for a continuation to which no memory refers: no code can
/// resume it.
extension PictureReading {
  func reportLostContinuations(_ about: RuleDescription, in run: EndedRun) {
    var lost: [CodePlace: [PictureTask]] = [:]
    for task in tasks.tasks {
      guard let references = references(to: task) else { continue }
      let reading = reading(task.stack)
      guard !reading.isAsleep, let own = reading.awaiting.first else { continue }
      // A parent can cancel its children, which ends the wait for a stream.
      if references.inClosedStreams > 0, task.isChild { continue }
      if isEntryWaiting(task, in: reading) { continue }
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

  private func references(to task: PictureTask) -> PictureWait.References? {
    if case .waiting(.continuation(let references)) = task.state { references } else { nil }
  }

  /// Whether a task is that of the program's entry, which waits there itself and for ever so that others can work.
  private func isEntryWaiting(_ task: PictureTask, in reading: StackReading) -> Bool {
    guard reading.awaiting.count == 1, let place = reading.awaiting.first?.frame.place,
      Self.isEntry(place.function)
    else { return false }
    // Code that ignores its continuation means it.
    if let line = SourceLine.added(to: place).source, line.contains("_ in") || line.contains("(_:")
    {
      return true
    }
    // A closure, such as the code of a task, is not the entry itself.
    if FunctionName(place.function).isClosure { return false }
    return tasks.tasks.contains { other in
      other.id != task.id && other.state != .finished && other.state != .notStarted
    }
  }

  private static func isEntry(_ function: String) -> Bool {
    function.hasPrefix("async_Main") || function.hasPrefix("main") || function.contains(".main()")
      || function.contains("top-level code") || function.contains("$main")
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
    let references = waiting.compactMap(references(to:))
    let isStream = references.contains { $0.inClosedStreams > 0 }
    let consequence = "\(count(ids)) never \(ids.count == 1 ? "continues" : "continue")"
    var finding = Finding(
      rule: about.id, severity: about.severity,
      title: isStream
        ? "\(DisplayText.capitalized(name)) waits for a stream that was never finished: \(consequence)"
        : "\(DisplayText.capitalized(name)) lost its continuation: \(consequence)",
      culprit: place, api: nil,
      fix: Finding.Fix(
        isStream
          ? "Call finish() on the stream’s continuation on every path, before its last reference is released."
          : "Resume the continuation of \(name) on every path, before its last reference is released."
      ),
      identity: place.function, defect: "continuation \(place.function)")
    finding.evidence = [
      Finding.Evidence(
        isStream
          ? "only the stream itself refers to its buffer: no code can add an element or finish the stream anymore"
          : "no memory of the process refers to the continuation: no code can resume it anymore"
      )
    ]
    let cancelled = waiting.filter { $0.flags.contains(.cancelled) }.map(\.id)
    if !cancelled.isEmpty {
      finding.evidence.append(
        Finding.Evidence(
          "\(count(cancelled)) \(cancelled.count == 1 ? "was" : "were") cancelled, and the cancellation did not resume the continuation"
        ))
    }
    if references.contains(where: { $0.handles > 0 }) {
      finding.evidence.append(
        Finding.Evidence(
          "the program still holds handles of the task, which can cancel the task but not resume it"
        ))
    }
    let callers = Array(reading(waiting[0].stack).awaiting.dropFirst().prefix(3))
    finding.cause =
      callers.reversed().map { link in
        Finding.Step("awaits", thread: taskName(ids[0]), queue: nil, place: link.frame.place)
      } + [
        Finding.Step(
          isStream ? "waits for the next element of a stream" : "waits for a continuation",
          thread: taskName(ids[0]), queue: nil, place: place)
      ]
    if let waiters = waiters(for: ids.map { .task($0) }) { finding.evidence.append(waiters) }
    finding.lastsToEnd = true
    return finding
  }
}

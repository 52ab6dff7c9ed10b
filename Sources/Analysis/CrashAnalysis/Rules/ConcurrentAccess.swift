import IncidentModel

/// Finds a second thread in the function that crashed because of damaged memory.
final class ConcurrentAccess: Rule {
  static let about = RuleDescription(
    id: "concurrent-access", severity: .warning,
    title: "Two threads were in one function when memory was found damaged",
    firesWhen: """
      The process died of a bad memory access, a damaged heap or overlapping accesses while \
      another thread was in the same method of the program and did not wait there. The record does \
      not show objects, so the finding does not claim that both threads used one object. A race or an inverted \
      order of locks that Thread Sanitizer, Go's race detector or the Linux kernel's lock checker reports counts as well.
      """,
    cause: """
      Two threads write a dictionary, an array or a reference at once and damage its structure. \
      The process dies at the next access, often in the function that writes it.
      """,
    evidence: "The stacks of both threads at the crash.",
    fix: """
      Protect the state of the function with one queue, one actor or one lock. A run under Thread \
      Sanitizer shows whether both threads used the same memory.
      """,
    triggers: """
      DispatchQueue.concurrentPerform(iterations: 8) { cache.store($0) }  // no lock in store(_:)
      """,
    spares: "for number in 0..<8 { cacheQueue.async { cache.store(number) } }")

  let interest = Interest()

  func finish(in run: EndedRun) {
    if let kind = run.source.signs.toldRace {
      return run.report(FindingKey(Self.about.id)) { finding(told: kind, run) }
    }
    guard let crash = run.crash, run.deadlock == nil, let touched = crash.reading.touched,
      FunctionName(touched.place.function).type != ""
    else { return }
    let death = Death(crash, wasAskedFor: crash.wasAskedFor(in: run))
    guard let second = crash.secondThread(in: run, after: death) else { return }
    run.report(FindingKey(Self.about.id)) { finding(second, death, crash, run) }
  }

  static func fix(_ second: SecondThread) -> Finding.Fix {
    Finding.Fix(
      "Protect the state that \(second.died.function) touches with one queue, one actor or one lock. A "
        + "run under Thread Sanitizer shows whether both threads touched the same memory.")
  }

  /// Returns the finding about a data race or lock-order inversion that the thread sanitizer
  /// reported.
  private func finding(told kind: String, _ run: EndedRun) -> Finding {
    let sides = run.source.hungThreads.map { thread in
      WaitingThread(thread, run.frames(of: thread.stack, when: run.end.monotonic), isHung: true)
    }
    let places = sides.compactMap { $0.reading.touched.map { SourceLine.added(to: $0.place) } }
    let names = places.map(DisplayText.name)
    let isOrder = kind.contains("lock-order")
    var finding = Finding(
      // A race is a fault as soon as it happened; an order of locks need not have met its opposite.
      rule: Self.about.id, severity: isOrder ? Self.about.severity : .error,
      title: "\(run.source.signs.toldRaceBy) reported a \(kind)"
        + (names.isEmpty ? "" : ": \(names.prefix(2).joined(separator: " and "))"),
      culprit: places.first, api: nil,
      fix: Finding.Fix(
        isOrder
          ? "Take the locks in the same order everywhere."
          : "Protect the memory that both threads touch with one queue, one actor or one lock."),
      identity: kind, defect: places.map(\.function).sorted().joined(separator: " "))
    finding.cause = sides.flatMap { side in
      side.reading.links.prefix(3).enumerated().reversed().map { place, link in
        Finding.Step(
          place == 0 ? (isOrder ? "takes the second lock in" : "touches the memory in") : "ran",
          thread: side.name(in: run), queue: nil, place: SourceLine.added(to: link.frame.place))
      }
    }
    return finding
  }

  private func finding(
    _ second: SecondThread, _ death: Death, _ crash: CrashReading, _ run: RunState
  ) -> Finding {
    let (place, other) = (SourceLine.added(to: second.died), second.thread)
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "Two threads were in \(DisplayText.name(place)) when the process died: "
        + death.name(of: crash.crash),
      culprit: place, api: nil,
      fix: Self.fix(second),
      identity: place.function, defect: "\(place.module) \(place.function)")
    let thread = crash.thread(in: run)
    finding.cause = [
      Finding.Step("died in", thread: thread, queue: crash.queue, place: place),
      Finding.Step(
        "was in the same function", thread: other.name(in: run), queue: other.thread.queue?.label,
        place: second.stood),
    ]
    finding.evidence = [
      Finding.Evidence(
        "a race only if both threads touched the same object; the objects are not recorded")
    ]
    finding.tell(of: crash, in: run)
    return finding
  }
}

import IncidentModel

/// Finds a second thread in the function that died of damaged memory.
final class ConcurrentAccess: Rule {
  static let about = RuleDescription(
    id: "concurrent-access", severity: .warning,
    title: "Two threads were in one function when memory was found damaged",
    firesWhen: """
      The process died of a bad memory access, of a damaged heap or of overlapping accesses, and at that \
      moment another thread was in the same method of the program, and did not wait there. It says what \
      was recorded, not that both touched one object: the record does not show objects. For any other \
      death, two threads in one function are what a service does all day.
      """,
    cause: """
      A dictionary, an array or a reference that two threads write at once loses its own structure. The \
      process dies where it next looks at it, mostly in the very function that writes it.
      """,
    evidence: "The stacks of both threads at the crash.",
    fix: """
      Let one queue, one actor or one lock own what the function touches. A run under the thread sanitizer \
      shows whether both touched the same memory.
      """,
    triggers: """
      DispatchQueue.concurrentPerform(iterations: 8) { cache.store($0) }  // no lock in store(_:)
      """,
    spares: "for number in 0..<8 { cacheQueue.async { cache.store(number) } }")

  let interest = Interest()

  func finish(in run: EndedRun) {
    guard let crash = run.crash, run.deadlock == nil, let touched = crash.reading.touched,
      FunctionName(touched.place.function).type != ""
    else { return }
    let death = Death(crash, wasAskedFor: crash.wasAskedFor(in: run))
    guard let second = crash.secondThread(in: run, after: death) else { return }
    run.report(DraftKey(Self.about.id)) { finding(second, death, crash, run) }
  }

  static func fix(_ second: SecondThread) -> Finding.Fix {
    Finding.Fix(
      "Let one queue, one actor or one lock own what \(second.died.function) touches. A run under the thread "
        + "sanitizer shows whether both touched the same memory.")
  }

  private func finding(
    _ second: SecondThread, _ death: Death, _ crash: CrashReading, _ run: RunState
  ) -> Finding {
    let (place, other) = (SourceLine.added(to: second.died), second.thread)
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "Two threads were in \(Words.name(place)) when the process died: "
        + death.name(of: crash.crash),
      culprit: place, api: nil,
      fix: Self.fix(second),
      identity: place.function, defect: "\(place.module) \(place.function)")
    let thread = crash.thread(in: run)
    finding.cause = [
      Finding.Step("died in", thread: thread, queue: crash.queue, place: place),
      Finding.Step(
        "was there, too", thread: other.name(in: run), queue: other.thread.queue?.label,
        place: second.stood),
    ]
    finding.evidence = [
      Finding.Evidence("a race if both touched one object, which is not recorded")
    ]
    finding.tell(of: crash, in: run)
    return finding
  }
}

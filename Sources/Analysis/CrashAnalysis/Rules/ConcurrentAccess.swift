import IncidentModel

/// Finds a second thread in the function that died of damaged memory.
final class ConcurrentAccess: Rule {
  static let about = RuleDescription(
    id: "concurrent-access", severity: .warning,
    title: "Two threads were in one function when memory was found damaged",
    firesWhen: """
      The process died of a bad memory access, a damaged heap or overlapping accesses while \
      another thread was in the same method of the program and did not wait there. The record does \
      not show objects, so the finding does not claim that both threads used one object.
      """,
    cause: """
      Two threads write a dictionary, an array or a reference at once and damage its structure. \
      The process dies at the next access, often in the function that writes it.
      """,
    evidence: "The stacks of both threads at the crash.",
    fix: """
      Let one queue, one actor or one lock own the state of the function. A run under the thread \
      sanitizer shows whether both threads used the same memory.
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
    run.report(FindingKey(Self.about.id)) { finding(second, death, crash, run) }
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
      title: "Two threads were in \(DisplayText.name(place)) when the process died: "
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

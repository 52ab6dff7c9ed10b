import IncidentModel

/// Threads that wait for each other's locks or messages, from a report that lists all threads.
struct LockRing {
  private let threads: [WaitingThread]

  init(_ threads: [WaitingThread]) { self.threads = threads }

  /// Creates a ring from deadlocked threads; threads that wait for locks come first.
  init(standing threads: [WaitingThread]) {
    self.threads = threads.filter(\.waitsForLock) + threads.filter { !$0.waitsForLock }
  }

  /// Returns the finding about threads that wait for each other's locks and queues, whose owners the
  /// report or the record names.
  func finding(_ about: RuleDescription, _ crash: CrashReading?, _ run: EndedRun) -> Finding {
    let number = ["Two", "Three", "Four"]
    let count = threads.count < 5 ? number[max(0, threads.count - 2)] : "\(threads.count)"
    var finding = base(
      about, "\(count) threads waited for each other: \(names.joined(separator: ", "))", crash, run)
    finding.cause = threads.indices.flatMap { place in
      let next = threads[(place + 1) % threads.count]
      let name = next.name(in: run)
      return steps(
        threads[place],
        threads[place].waitsForQueue
          ? "waits for a queue that \(name) runs" : "waits for a lock that \(name) holds", run)
    }
    finding.evidence = [
      Finding.Evidence(
        "the \(run.isRecording ? "record" : "report") names the owner of each lock: none of these threads can continue"
      )
    ]
    finding.fix = Finding.Fix(
      "Take the locks in the same order everywhere, or release the first before taking the next."
    )
    return finding
  }

  /// Returns the finding about threads that cannot continue according to the report itself.
  func standstill(
    _ about: RuleDescription, _ words: String, _ crash: CrashReading?, _ run: EndedRun
  ) -> Finding {
    var finding = base(
      about, "\(words): \(names.prefix(3).joined(separator: ", "))", crash, run)
    var known: Set<CodePlace> = []
    for thread in threads where finding.cause.count < 8 {
      guard let place = thread.reading.touched?.place, known.insert(place).inserted else {
        continue
      }
      let count = threads.count { $0.reading.touched?.place == place }
      finding.cause += steps(
        thread, count > 1 ? "waits, one of \(count) threads here" : "waits", run)
    }
    finding.fix = Finding.Fix(
      "Find the code that should end each wait: the sender or the receiver of the value, or the thread "
        + "that releases the lock or counts down.")
    return finding
  }

  /// Returns the finding about two threads that wait for locks which no other thread in the report
  /// could own.
  func likely(_ about: RuleDescription, _ crash: CrashReading?, _ run: EndedRun) -> Finding {
    var finding = base(
      about, "Two threads waited for locks at once: \(names.joined(separator: ", "))", crash, run)
    finding.severity = .warning
    finding.cause = threads.flatMap { steps($0, "waits for a lock", run) }
    finding.evidence = [
      Finding.Evidence(
        "not certain: the report does not name the owners of the locks; no other thread was in the program's "
          + "own code, except to join a thread")
    ]
    finding.fix = Finding.Fix(
      "Check the callers of these functions for a lock that each thread already held: if these are the "
        + "same two locks, take them in the same order everywhere.")
    return finding
  }

  private var names: [String] {
    var names: [String] = []
    for place in threads.compactMap({ $0.reading.touched?.place }) {
      let name = DisplayText.name(place)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private func base(
    _ about: RuleDescription, _ title: String, _ crash: CrashReading?, _ run: EndedRun
  ) -> Finding {
    let culprit = threads.first?.reading.touched.map { SourceLine.added(to: $0.place) }
    var finding = Finding(
      rule: about.id, severity: about.severity, title: title, culprit: culprit, api: nil,
      fix: Finding.Fix(""), identity: names.sorted().joined(separator: " "), defect: "deadlock")
    finding.lastsToEnd = true
    finding.wall = crash?.crash.wall ?? run.end.wall
    finding.nearby = run.crumbs(before: crash?.moment ?? run.end)
    if run.source.isForeignReport {
      finding.nearby.removeAll { $0.text.hasPrefix("\(CrumbKind.hang.name):") }
    }
    return finding
  }

  /// Returns the own functions of a thread as steps, outermost first; the innermost one waits.
  private func steps(_ thread: WaitingThread, _ words: String, _ run: RunState) -> [Finding.Step] {
    let links = thread.reading.links.prefix(3)
    return links.enumerated().reversed().map { place, link in
      Finding.Step(
        place == 0 ? words : "ran", thread: thread.name(in: run), queue: thread.thread.queue?.label,
        place: SourceLine.added(to: link.frame.place))
    }
  }
}

import IncidentModel

/// The shared part of the rules about held executors: a hang becomes a finding when its duration is known.
struct HeldExecutors {
  private let about: RuleDescription
  private let kinds: Set<WatchedKind>
  private var open = OpenHangs()
  /// Hangs that have ended. Requests that were in flight during such a hang may still be open.
  private var closed: [OpenHangs.Closed] = []
  private static let mostClosed = 256

  init(_ about: RuleDescription, _ kinds: WatchedKind...) {
    self.about = about
    self.kinds = Set(kinds)
  }

  mutating func observe(_ event: Event, in run: RunState) {
    guard event.kind == .hang, kinds.contains(Hang.Executor(event).kind) else { return }
    guard let ended = open.observe(event, in: run) else { return }
    if !ended.hang.inFlight.isEmpty, closed.count < Self.mostClosed {
      closed.append(ended)
    } else {
      report(ended, in: run)
    }
  }

  mutating func finish(in run: EndedRun) {
    for ended in closed { report(ended, in: run) }
    closed = []
    for hang in open.all {
      let hang = hang.held(by: run.standing)
      report(OpenHangs.Closed(hang: hang, lasted: hang.lasted, end: .recordingEnded), in: run)
    }
    open = OpenHangs()
  }

  private func report(_ closed: OpenHangs.Closed, in run: RunState) {
    let hang = closed.hang
    let key = FindingKey(
      about.id, hang.executor.hashValue, hang.doing.hashValue, hang.frames.hashValue)
    run.report(key, at: hang.place) { finding(closed, run) }
  }

  private func finding(_ closed: OpenHangs.Closed, _ run: RunState) -> Finding {
    let hang = closed.hang
    var finding = hang.doing == .starved ? starved(closed) : held(closed, run)
    finding.wall = hang.wall
    finding.nearby = hang.nearby
    // In a report of another tool, the hang itself is not a crumb near the finding.
    if run.source.isForeignReport {
      finding.nearby.removeAll { $0.text.hasPrefix("\(CrumbKind.hang.name):") }
    }
    finding.lastsToEnd = closed.end == .recordingEnded && hang.doing != .starved
    if closed.end != .recordingEnded,
      let fates = run.openWork.fates(of: hang.inFlight, at: hang.monotonic)
    {
      finding.evidence.append(fates)
    }
    if hang.leftOut > 0 {
      finding.evidence.append(
        Finding.Evidence(
          "\(hang.leftOut) earlier \(hang.leftOut == 1 ? "hang" : "hangs") in the same minute \(hang.leftOut == 1 ? "was" : "were") not recorded"
        ))
    }
    return finding
  }

  static func time(_ closed: OpenHangs.Closed, isReport: Bool = false) -> String {
    let time = TimeSpan.text(nanoseconds: closed.lasted)
    if closed.lasted == 0 { return "" }
    if isReport { return " for \(time)" }
    return switch closed.end {
    case .answered: " for \(time)"
    case .unseen: " for more than \(time)"
    case .recordingEnded: " for more than \(time)"
    }
  }

  // MARK: Held executors

  private func held(_ closed: OpenHangs.Closed, _ run: RunState) -> Finding {
    let hang = closed.hang
    if let wait = LockWait(hang, in: run) {
      return wait.finding(of: about, Self.time(closed), evidence(hang), in: run)
    }
    if let kept = kept(closed, run) { return kept }
    let reading = run.read(hang.frames)
    let culprit = reading.touched?.place
    let name = culprit.map(DisplayText.name) ?? "code"
    let toTheEnd = closed.end == .recordingEnded && closed.lasted > 0 && !run.isRecording
    var finding = Finding(
      rule: about.id, severity: .error,
      title: "\(DisplayText.capitalized(name)) held \(words(hang, run))"
        + Self.time(closed, isReport: isReportsOwn(hang, run))
        + (toTheEnd && !isReportsOwn(hang, run) ? ", until the end" : ""),
      culprit: culprit, api: nil,
      fix: fix(hang, isOfQueues: culprit.flatMap(CodeLanguage.init)?.isOfSwift ?? true),
      identity: Self.identity("hang", hang),
      defect: culprit.map { "\($0.module) \($0.function)" } ?? Self.identity("hang", hang))
    finding.thread = hang.holder
    finding.cause = reading.links.reversed().suffix(4).map { link in
      Finding.Step(
        "ran", thread: hang.holder.map { run.thread(kernelID: $0.id, $0.name) } ?? "",
        queue: hang.holders[0].queue, place: link.frame.place)
    }
    finding.cause += HolderSteps.steps(Array(hang.holders.dropFirst()), in: run) { holder in
      "also holds \(hang.executor.words)" + (holder.doing.map { " (\($0.text))" } ?? "")
    }
    if hang.executor.kind == .mainQueue, let holder = ownerStep(in: run) {
      finding.cause.append(holder)
    }
    finding.evidence = evidence(hang)
    return finding
  }

  /// Returns the finding about a lock for which the main thread waits, if another tool's report
  /// names the lock's owner: the culprit is the code that keeps the lock.
  private func kept(_ closed: OpenHangs.Closed, _ run: RunState) -> Finding? {
    let (hang, reading) = (closed.hang, run.read(closed.hang.frames))
    let calls = hang.frames.prefix { $0.role != .code }.map(\.place.function)
    guard isReportsOwn(hang, run), calls.contains(where: WaitFunctions.isLock),
      let waiter = reading.touched?.place, let owner = lastOwner(in: run)
    else { return nil }
    let links = run.read(run.frames(of: owner.stack, when: run.end.monotonic)).links
    let type = FunctionName(waiter.function).type
    let keeper = links.first { !type.isEmpty && FunctionName($0.frame.place.function).type == type }
    guard let place = (keeper ?? links.first)?.frame.place else { return nil }
    let name = DisplayText.name(place)
    let thread = owner.ordinal.map(run.thread) ?? run.thread(kernelID: owner.kernelID, owner.name)
    var finding = Finding(
      rule: about.id, severity: .error,
      title: "\(DisplayText.capitalized(name)) held a lock that \(words(hang, run)) waited for in "
        + DisplayText.name(waiter) + Self.time(closed, isReport: true),
      culprit: place, api: nil,
      fix: Finding.Fix(
        "In \(name), hold the lock only to read or store a value, and make slow calls before taking it: the "
          + "main thread needs the lock."),
      identity: Self.identity("hang", hang), defect: "lock \(place.module) \(place.function)")
    finding.thread = hang.holder
    let main = hang.holder.map { run.thread(kernelID: $0.id, $0.name) } ?? ""
    finding.cause = reading.links.prefix(3).enumerated().reversed().map { at, link in
      Finding.Step(
        at == 0 ? "waits for the lock" : "ran", thread: main, queue: hang.holders[0].queue,
        place: link.frame.place)
    }
    finding.cause += links.prefix(4).reversed().map { link in
      Finding.Step(
        link.frame.place == place ? "holds the lock" : "ran", thread: thread,
        queue: owner.queue?.label, place: link.frame.place)
    }
    finding.evidence =
      [Finding.Evidence("the report names the owner of the lock: \(thread)")]
      + evidence(hang)
    return finding
  }

  /// The thread at the end of the chain of owners that starts at the main thread; nil if the report
  /// names no owner, or if the threads wait for each other.
  private func lastOwner(in run: RunState) -> CrashThread? {
    let threads = run.source.hungThreads
    guard var last = threads.first(where: { $0.onMain == .yes }) else { return nil }
    var seen = Set([last.ordinal])
    while let number = last.waitsFor,
      let next = threads.first(where: { $0.ordinal == number })
    {
      guard seen.insert(next.ordinal).inserted else { return nil }
      last = next
    }
    return seen.count > 1 ? last : nil
  }

  private func isReportsOwn(_ hang: Hang, _ run: RunState) -> Bool {
    run.source.isForeignReport && [.mainQueue, .loop].contains(hang.executor.kind)
  }

  /// Returns the name of the hung executor. Another tool's report names a thread instead.
  private func words(_ hang: Hang, _ run: RunState) -> String {
    guard isReportsOwn(hang, run), hang.executor.kind == .mainQueue else {
      return hang.executor.name == "event loop" ? "the event loop" : hang.executor.words
    }
    let name = hang.holder?.name ?? ""
    return name.hasPrefix("AWT-EventQueue") ? "the event dispatch thread" : "the main thread"
  }

  /// Returns the step of the thread that owns the resource for which the main thread waits; nil if
  /// the report does not name the owner.
  private func ownerStep(in run: RunState) -> Finding.Step? {
    let threads = run.source.hungThreads
    guard let main = threads.first(where: { $0.onMain == .yes }), let number = main.waitsFor,
      let holder = threads.first(where: { $0.ordinal == number })
    else { return nil }
    let frames = run.frames(of: holder.stack, when: run.end.monotonic)
    return Finding.Step(
      "holds the resource that the main thread waits for", thread: run.thread(number),
      queue: holder.queue?.label,
      place: run.read(frames).touched?.place)
  }

  private func evidence(_ hang: Hang) -> [Finding.Evidence] {
    var evidence: [Finding.Evidence] = []
    switch hang.doing {
    case .blocked: evidence.append(Finding.Evidence("the thread slept in a call meanwhile"))
    case .busy: evidence.append(Finding.Evidence("the thread ran on a processor meanwhile"))
    case .starved, nil: break
    }
    guard hang.executor.kind == .pool else { return evidence }
    evidence.append(
      Finding.Evidence(
        "\(hang.threads) pool threads were busy, and none took another task; \(Self.told(hang))"
      ))
    let others = hang.holders.filter { $0.queue != nil }.count
    if others > 0 {
      evidence.append(
        Finding.Evidence(
          "\(others) of the threads ran no task: Dispatch's global queues share their threads with the pools"
        )
      )
    }
    if hang.allWaitForWork {
      evidence.append(
        Finding.Evidence(
          "each of these threads waited for other work: if that work needs the same pool, it can never run"
        ))
    }
    return evidence
  }

  /// Returns the activities of the holders, with counts.
  private static func told(_ hang: Hang) -> String {
    let counts = HolderActivity.allCases.compactMap { doing -> String? in
      let count = hang.holders.filter { $0.doing == doing }.count
      return count == 0 ? nil : "\(count) \(doing.text)"
    }
    return counts.isEmpty
      ? "the activity of the threads is unknown" : counts.joined(separator: ", ")
  }

  /// Returns the advice for the hang.
  ///
  /// - Parameter isOfQueues: True if the language of the code uses Dispatch queues.
  private func fix(_ hang: Hang, isOfQueues: Bool) -> Finding.Fix {
    let calls = hang.frames.prefix { $0.role != .code }.map(\.place.function)
    if hang.executor.kind == .mainQueue, calls.contains(where: WaitFunctions.isLock) {
      return Finding.Fix(
        "Do not take this lock on the main thread, or let its holders do their long work before taking it."
      )
    }
    return switch (hang.executor.kind, hang.doing) {
    case (.mainQueue, _) where hang.holder?.name == "AWT-EventQueue-0":
      Finding.Fix(
        "Do the work on another thread, and deliver the result with SwingUtilities.invokeLater."
      )
    case (.mainQueue, _) where !isOfQueues:
      Finding.Fix(
        "Do the work on another thread, and hand only the result to the main thread.")
    case (.mainQueue, _):
      Finding.Fix("Do the work on another queue, and hop to the main queue with the result.")
    case (.pool, _) where hang.holders[0].queue != nil:
      Finding.Fix(
        "Run the work on a serial queue or on dedicated threads: the global queue uses the threads of the pool."
      )
    case (.pool, .busy):
      Finding.Fix(
        "Let the work pause with Task.yield, or run it on a separate executor or queue.")
    case (.pool, _) where hang.holders[0].waitsForWork:
      Finding.Fix(
        "Await the result instead of blocking: a task's value, or a continuation that is resumed with the result."
      )
    case (.pool, _):
      Finding.Fix(
        "Await instead of blocking, for example with Task.sleep, or run blocking code on dedicated threads."
      )
    case (.loop, .busy):
      Finding.Fix("Run long work in a thread pool, and hand the result back to the loop.")
    case (.loop, _):
      Finding.Fix("Run blocking work in a thread pool, and hand the result back to the loop.")
    case (.queue, _), (.actor, _):
      Finding.Fix(
        "Run only short work on \(hang.executor.words), and move long work to another queue or thread."
      )
    }
  }

  // MARK: Starved executors

  /// Returns the finding about an executor without processor time, which has no culprit.
  private func starved(_ closed: OpenHangs.Closed) -> Finding {
    let hang = closed.hang
    var finding = Finding(
      rule: about.id, severity: .warning,
      title: "\(DisplayText.capitalized(hang.executor.words)) got no processor\(Self.time(closed))",
      culprit: nil, api: nil,
      fix: Finding.Fix(
        "Give the process more processor time, or run fewer other processes: no code of the process caused this."
      ),
      identity: Self.identity("starved", hang), defect: Self.identity("starved", hang))
    finding.evidence = [
      Finding.Evidence("the thread was runnable, and waited for a processor most of the time")
    ]
    if let pressure = hang.pressure {
      finding.evidence.append(
        Finding.Evidence(
          "threads of the machine had waited for a processor in \(pressure) % of the last 10 s"))
    }
    return finding
  }

  private static func identity(_ what: String, _ hang: Hang) -> String {
    hang.executor.kind == .mainQueue
      ? what : "\(what) \(hang.executor.kind.text) \(hang.executor.name)"
  }
}

import IncidentModel

/// Finds threads that wait for each other: the main queue and a worker, two queues, or all threads
/// of a pool.
final class SyncDeadlock: Rule {
  static let about = RuleDescription(
    id: "sync-deadlock", severity: .error,
    title: "Two threads waited for each other",
    firesWhen: """
      The stacks at the end of the run show that the main queue's thread waits while another \
      thread makes a synchronous call to a queue, or the process crashed in a synchronous call to \
      a queue that its own thread held. A report of a hang counts if no third thread works for a \
      queue, if it names the holder of each wait, or if it states that no thread can continue. \
      Other queues and locks count if the stacks or the source show that each thread holds what \
      the next one waits for, or if the threads that stood in a slow shutdown own them; all threads of a task pool count if the pool never answered again. \
      The finding is a warning if the stacks do not show the reason of the other thread's wait, \
      or if only two threads of a debugger's list are active and both wait for locks. SIGKILL \
      leaves only the stacks of recorded hangs: see main-blocked.
      """,
    cause: """
      The main queue waits for a worker, by sync, a group or a semaphore, and the worker calls \
      DispatchQueue.main.sync. Neither can continue.
      """,
    evidence: "The stacks of both threads.",
    fix: """
      Remove one of the two waits: main.async in the worker, or a completion on the main queue.
      """,
    triggers: """
      DispatchQueue.main.async {
        DispatchQueue.main.sync { board.layOut() }
      }
      """,
    spares: """
      DispatchQueue.main.async {
        DispatchQueue.main.async { board.layOut() }
      }
      """)

  let interest = Interest(.hang)
  func finish(in run: EndedRun) {
    for hang in run.hangs.all where hang.executor.kind == .pool && hang.allWaitForWork {
      // A lock has an owner; PoolBlocked reports it.
      if LockWait(hang, in: run) != nil { continue }
      run.report(FindingKey(Self.about.id, 4), at: hang.place) { finding(pool: hang, run) }
    }
    if let picture = run.picture, picture.circles.contains(where: { !ActorCycle.isOfTasks($0) }) {
      return picture.reportDeadlocks(Self.about, in: run)
    }
    let crash = run.crash
    switch run.deadlock {
    case .own:
      guard let crash else { return }
      run.report(FindingKey(Self.about.id, 1)) { own(crash, run) }
    case .mutual(let main, let worker):
      run.report(FindingKey(Self.about.id, 2)) { finding(main, worker, crash, run) }
    case .likely(let main, let worker):
      run.report(FindingKey(Self.about.id, 2)) {
        var finding = finding(main, worker, crash, run)
        finding.severity = .warning
        // Only certain findings propose edits.
        finding.fix.edits = []
        finding.evidence.append(Finding.Evidence(doubt(main, worker)))
        return finding
      }
    case .queues(let one, let other):
      run.report(FindingKey(Self.about.id, 3)) { finding(between: one, and: other, crash, run) }
    case .ring(let threads):
      run.report(FindingKey(Self.about.id, 5)) { LockRing(threads).finding(Self.about, crash, run) }
    case .told(let threads):
      run.report(FindingKey(Self.about.id, 5)) {
        LockRing(standing: threads).standstill(
          Self.about, run.source.signs.standstill ?? "", crash, run)
      }
    case .likelyLocks(let one, let other):
      run.report(FindingKey(Self.about.id, 5)) {
        LockRing([one, other]).likely(Self.about, crash, run)
      }
    case .circle(let circle):
      run.report(FindingKey(Self.about.id, 3)) { finding(circle, crash, run) }
    case nil: break
    }
  }

  private func finding(
    between one: WaitingThread, and other: WaitingThread, _ crash: CrashReading?, _ run: EndedRun
  ) -> Finding {
    let culprit = one.reading.touched.map { SourceLine.added(to: $0.place) }
    let (first, second) = (
      DisplayText.queue(one.thread.queue?.label), DisplayText.queue(other.thread.queue?.label)
    )
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "Two queues waited for each other in \(culprit.map(DisplayText.name) ?? "code"): "
        + "\(first) and \(second == first ? "another of the same name" : second)",
      culprit: culprit, api: one.thread.queue?.label,
      fix: Finding.Fix(
        "Enter the two queues in the same order everywhere, or leave the first queue before calling the second."
      ),
      identity: "queues", defect: "deadlock")
    finding.cause =
      steps(
        one, holding: first, waitingFor: second == first ? "another of the same name" : second, run)
      + steps(
        other, holding: second, waitingFor: second == first ? "another of the same name" : first,
        run)
    finding.evidence = [
      Finding.Evidence(
        isOwned(one, other, in: run)
          ? "each waits for the other: Dispatch’s record names the thread that runs each queue"
          : "each waits for the other, as far as the stacks show: no third thread ran work of a queue"
      )
    ]
    if let crash {
      finding.evidence.append(Finding.Evidence(crash.crash.line(in: run.source.process?.id)))
    }
    finding.wall = crash?.crash.wall ?? run.end.wall
    finding.nearby = run.crumbs(before: crash?.moment ?? run.end)
    finding.lastsToEnd = true
    return finding
  }

  /// True if the list of standing threads names each thread as the owner of the other's queue.
  private func isOwned(_ one: WaitingThread, _ other: WaitingThread, in run: RunState) -> Bool {
    let owners = Dictionary(
      run.standing.threads.compactMap { thread in
        thread.holder.thread.flatMap { named in thread.owner.map { (named.id, $0) } }
      }, uniquingKeysWith: { first, _ in first })
    let (first, second) = (one.thread.kernelID, other.thread.kernelID)
    return owners[first] == second && owners[second] == first
  }

  /// Returns the steps of one of the two threads, outermost first: the thread takes its queue, then
  /// waits for the other thread.
  private func steps(
    _ thread: WaitingThread, holding held: String, waitingFor awaited: String, _ run: RunState
  ) -> [Finding.Step] {
    let places = thread.reading.links.prefix(4).map { SourceLine.added(to: $0.frame.place) }
    guard let wait = places.first else { return [] }
    func step(_ text: String, _ place: CodePlace) -> Finding.Step {
      Finding.Step(
        text, thread: thread.name(in: run), queue: thread.thread.queue?.label, place: place)
    }
    let way = places.dropFirst().reversed()
    guard let taken = thread.heldAt.map(SourceLine.added), taken != wait else {
      return way.map { step("ran", $0) } + [step("holds \(held) and waits for \(awaited)", wait)]
    }
    return way.filter { $0 != taken }.map { step("ran", $0) }
      + [step("holds \(held)", taken), step("waits for \(awaited)", wait)]
  }

  private func finding(
    _ main: WaitingThread, _ worker: WaitingThread, _ crash: CrashReading?, _ run: EndedRun
  ) -> Finding {
    let culprit = worker.reading.touched.map { SourceLine.added(to: $0.place) }
    let holder = main.reading.touched.map { DisplayText.name($0.place) } ?? "code"
    let waiter = culprit.map(DisplayText.name) ?? "code"
    let what = worker.waitsForQueue ? "waited for a queue" : "waited too"
    let isOfQueues = culprit.flatMap(CodeLanguage.init)?.isOfSwift ?? true
    let mainWords =
      main.thread.queue == nil && run.source.isForeignReport && !isOfQueues
      ? "the main thread" : "the main queue"
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "\(DisplayText.capitalized(holder)) made \(mainWords) wait while \(waiter) \(what)",
      culprit: culprit, api: main.reading.touched?.place.function,
      fix: fix(main, worker),
      identity: main.reading.touched?.place.function ?? "", defect: "deadlock")
    finding.cause = [
      Finding.Step(
        "\(mainWords) waits in", thread: main.name(in: run), queue: main.thread.queue?.label,
        place: main.reading.touched.map { SourceLine.added(to: $0.place) }),
      Finding.Step(
        worker.waitsForQueue ? "a worker waits for a queue in" : "a worker waits in",
        thread: worker.name(in: run), queue: worker.thread.queue?.label,
        place: culprit),
    ]
    finding.evidence = [
      Finding.Evidence(
        "both waited at the same moment: \(mainWords == "the main thread" ? mainWords : "the main queue's thread"), and a worker"
          + (worker.waitsForQueue ? " in a synchronous call to a queue" : ""))
    ]
    finding.lastsToEnd = true
    finding.wall = crash?.crash.wall ?? run.end.wall
    finding.nearby = run.crumbs(before: crash?.moment ?? run.end)
    if run.source.isForeignReport {
      finding.nearby.removeAll { $0.text.hasPrefix("\(CrumbKind.hang.name):") }
    }
    guard let crash else { return finding }
    finding.evidence.append(
      Finding.Evidence(
        "the process was ended by \(crash.crash.line(in: run.source.process?.id)) while both waited"
      ))
    if let hang = run.mainHang, !run.source.isForeignReport {
      let since = TimeSpan.text(nanoseconds: crash.crash.monotonic &- hang.monotonic &+ hang.lasted)
      finding.evidence.append(
        Finding.Evidence("the main queue last answered \(since) before the end"))
    }
    return finding
  }

  /// Returns the fix for one of the two threads: for the worker if no later code needs the result
  /// of its wait, else for main.
  private func fix(_ main: WaitingThread, _ worker: WaitingThread) -> Finding.Fix {
    let edits = worker.waitsForQueue ? Fixes.notWaiting(worker.reading.links) : []
    if !edits.isEmpty, let place = worker.reading.touched?.place {
      return Finding.Fix(
        "Do not wait in \(DisplayText.name(place)): replace sync by async. No later statement uses the values "
          + "that the block touches.",
        edits: edits)
    }
    guard let place = main.reading.touched.map({ SourceLine.added(to: $0.place) }) else {
      return Finding.Fix("")
    }
    let line = place.source.map { " (“\($0)”)" } ?? ""
    guard CodeLanguage(place)?.isOfSwift ?? !FunctionName(place.function).type.isEmpty else {
      return Finding.Fix(
        "Do not block the main thread in \(DisplayText.name(place))\(line): continue when the other thread "
          + "is done, in a message or a callback that it posts.")
    }
    return Finding.Fix(
      "Do not block the main queue in \(DisplayText.name(place))\(line): continue when the other thread "
        + "is done, in a completion on the main queue, or with notify of a group.")
  }

  /// Returns the fix for a deadlocked pool.
  private func poolFix(_ source: String?) -> Finding.Fix {
    Finding.Fix(
      "Await the result\(source.map { " instead of calling “\($0)”" } ?? ""): a task's value, or a continuation "
        + "that is resumed with the result. An await frees the thread.")
  }

  private func finding(pool hang: Hang, _ run: RunState) -> Finding {
    let culprit = run.read(hang.frames).touched.map { SourceLine.added(to: $0.place) }
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "All threads of the pool waited for other work, in "
        + (culprit.map(DisplayText.name) ?? "code"),
      culprit: culprit, api: hang.executor.name,
      fix: poolFix(culprit?.source),
      identity: "pool", defect: culprit.map { "\($0.module) \($0.function)" } ?? "pool")
    finding.thread = hang.holder
    finding.cause = HolderSteps.steps(hang.holders, in: run) { _ in "waits in" }
    let signals = signals(for: culprit)
    let outside = signals.isEmpty ? " or for an answer from outside" : ""
    finding.evidence = [
      Finding.Evidence(
        "each waits for the others\(outside): \(hang.executor.words) has "
          + "\(hang.threads) threads, all of them waited, and no task could run until the end")
    ]
    finding.evidence += signals
    finding.wall = hang.wall
    finding.nearby = hang.nearby
    finding.lastsToEnd = true
    return finding
  }

  /// Returns the lines that end a wait, from the source: calls of `signal` or `leave` on the same
  /// variable.
  private func signals(for wait: CodePlace?) -> [Finding.Evidence] {
    guard let wait, let line = wait.source, let dot = line.range(of: ".wait("),
      let name = line[..<dot.lowerBound].words.last, let source = SourceCalls(near: wait)
    else { return [] }
    let calls = source.calls(of: ["signal", "leave"], on: name)
    if source.givesGroup(name) { return [] }
    guard !calls.isEmpty else {
      let file = wait.file?.split(separator: "/").last.map(String.init) ?? ""
      return [
        Finding.Evidence("no line of \(file) signals or leaves “\(name)”")
      ]
    }
    return calls.prefix(3).map { call in
      let words = call.closureOf.words
      let isTask = words.contains { ["Task", "addTask"].contains($0) }
      let isGlobal = words.contains("global")
      let why =
        isTask
        ? "this line is in a task that should end the wait, but the task needs a thread of the same pool and cannot run"
        : isGlobal
          ? "this line is in a block of the global queue that should end the wait, but the block needs a thread of the same pool and cannot run"
          : "this line ends the wait"
      return Finding.Evidence(why, place: call.place)
    }
  }

  private func doubt(_ main: WaitingThread, _ worker: WaitingThread) -> String {
    worker.waitsForQueue
      ? "not certain: the program's entry point may block the main queue on purpose"
      : "not certain: the worker's stack does not show the reason of its wait"
  }

  private func own(_ crash: CrashReading, _ run: RunState) -> Finding {
    let queue = DisplayText.queue(crash.queue)
    let inner = crash.culprit.map { SourceLine.added(to: $0) }
    let place = inner.map { " in \(DisplayText.name($0))" } ?? ""
    let outer = crash.frames.callThatTookQueue.map { SourceLine.added(to: $0) }
    let edits = Fixes.notWaiting(crash.reading.links)
    let since = outer.map { ", since \(DisplayText.name($0))" } ?? ""
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "A queue waited for itself\(place): "
        + "a synchronous call to \(queue) was made on \(queue) itself",
      culprit: crash.culprit, api: crash.queue,
      fix: Finding.Fix(
        edits.isEmpty
          ? "This code already runs on \(queue)\(since): do the work without sync, in a function that takes no queue."
          : "This code already runs on \(queue)\(since): replace sync by async. No later statement uses the values "
            + "that the block touches.",
        edits: edits),
      identity: "own", defect: "deadlock")
    finding.evidence = [
      Finding.Evidence("the queue waits for itself: the call can never return"),
      Finding.Evidence(crash.crash.line(in: run.source.process?.id)),
    ]
    var places = crash.reading.links.prefix(6).map(\.frame.place)
    if let outer, !places.contains(where: { $0.function == outer.function }) {
      places.append(outer)
    }
    finding.cause = places.enumerated().reversed().map { place, frame in
      let isOuter = frame.function == outer?.function
      return Finding.Step(
        place == 0 && isOuter
          ? "holds \(queue) and waits for the same queue"
          : place == 0
            ? "inner call: waits for \(queue)"
            : isOuter ? "outer call: holds \(queue)" : "ran",
        thread: crash.thread(in: run), queue: crash.queue,
        place: SourceLine.added(to: isOuter && place > 0 ? outer ?? frame : frame))
    }
    finding.tell(of: crash, in: run)
    return finding
  }
}

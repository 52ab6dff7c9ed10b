import IncidentModel

/// Finds blocked threads that hold an actor, the main queue or a pool while tasks wait for their
/// turn.
extension PictureReading {
  /// Reports actors whose thread is blocked while tasks wait for their turn.
  func reportHeldActors(_ about: RuleDescription, in run: EndedRun) {
    for actor in tasks.actors where !isInCircle(.actor(actor.address)) {
      guard let holder = actor.holder, isBlocked(holder) else { continue }
      let waiting = enqueued { $0 == .actor(actor.address) }
      if waiting.isEmpty { continue }
      run.report(FindingKey(about.id, actor.address.hashValue)) {
        held(
          name(of: .actor(actor.address)), by: holder, waiting, about,
          fix:
            "Await instead of blocking: an await releases the actor, a blocked thread keeps it."
        )
      }
    }
  }

  /// Reports the main queue if its thread is blocked in the program's code while tasks wait for their turn.
  func reportHeldMain(_ about: RuleDescription, in run: EndedRun) {
    guard let queue = tasks.mainQueue, let holder = queue.holder, isBlocked(holder),
      !isInCircle(.queue(queue.address)), !isInCircle(.thread(holder))
    else { return }
    let waiting = enqueued { $0 == .main }
    if waiting.isEmpty { return }
    run.report(FindingKey(about.id, queue.address.hashValue)) {
      held(
        "the main queue", by: holder, waiting, about,
        fix: "Wait on another queue or thread, and hop to the main queue with the result.")
    }
  }

  /// Reports serial queues whose thread is blocked while the same work waits at both of two readings.
  func reportHeldQueues(_ about: RuleDescription, in run: EndedRun) {
    guard let lasting = tasks.lasting else { return }
    for queue in tasks.queues where lasting.standing.contains(queue.address) {
      guard let holder = queue.holder, let jobs = queue.jobs, isBlocked(holder, forGood: true),
        queue.address != tasks.mainQueue?.address, !isInCircle(.queue(queue.address)),
        !isInCircle(.thread(holder))
      else { continue }
      run.report(FindingKey(about.id, queue.address.hashValue)) {
        var finding = held(
          name(of: .queue(queue.address)), by: holder, [], about,
          fix:
            "Wait on another queue or thread, or replace the wait with a DispatchSource or a completion handler; "
            + "hop back to the queue with the result."
        )
        finding.evidence.insert(
          Finding.Evidence(
            "\(jobs.count == 1 ? "1 job waits" : "\(jobs.count) jobs wait") behind it, and none has begun for "
              + TimeSpan.text(nanoseconds: lasting.span)), at: 0)
        return finding
      }
    }
  }

  func enqueued(_ isIt: (PictureExecutor) -> Bool) -> [PictureTask] {
    tasks.tasks.filter { task in
      if case .enqueued(let executor) = task.state { isIt(executor) } else { false }
    }
  }

  /// Whether a thread waits in a call of the program's, and every thread on which it depends waits too.
  ///
  /// - Parameter forGood: whether a wait for a limited time does not count.
  private func isBlocked(_ id: Int, forGood: Bool = false) -> Bool {
    guard place(ofThread: id) != nil else { return false }
    var next = id
    var seen: Set<Int> = []
    while seen.insert(next).inserted {
      switch tasks.thread(next)?.wait {
      case .signal, .call: return true
      case .lock(let lock): next = tasks.locks[lock] ?? next
      case .queue(let queue): next = tasks.queue(queue)?.holders.first ?? next
      case .thread(let other): next = other
      case .time: return !forGood
      case .work, nil: return false
      }
    }
    return true
  }

  private func held(
    _ what: String, by holder: Int, _ waiting: [PictureTask], _ about: RuleDescription, fix: String
  ) -> Finding {
    let culprit = place(ofThread: holder)
    let name = culprit.map(DisplayText.name) ?? "code"
    let wait = tasks.thread(holder)?.wait
    // Unless the thread is stuck, a file operation, a sleep or another thread's signal may end the
    // wait at any time.
    let isForGood = graph.stuck.contains(.thread(holder))
    var finding = Finding(
      rule: about.id, severity: isForGood ? .error : .warning,
      title: "\(DisplayText.capitalized(name)) blocks \(what)", culprit: culprit, api: nil,
      fix: Finding.Fix(fix), identity: "picture \(what)",
      defect: culprit.map { "\($0.module) \($0.function)" } ?? what)
    finding.thread = threadFacts(holder)
    finding.cause = [
      Finding.Step(
        "\(Self.words(wait, self)) and holds \(what)", thread: threadName(holder), queue: nil,
        place: culprit)
    ]
    finding.evidence = waiting.isEmpty ? [] : [turn(waiting)]
    if let waiters = waiters(for: waiting.map { .task($0.id) }) { finding.evidence.append(waiters) }
    finding.lastsToEnd = true
    return finding
  }

  /// The tasks that wait for a turn, as evidence.
  func turn(_ waiting: [PictureTask]) -> Finding.Evidence {
    Finding.Evidence(
      "\(count(waiting.map(\.id))) \(waiting.count == 1 ? "waits" : "wait") for a turn",
      place: waiting.first.flatMap(place(of:)))
  }

  private static func words(_ wait: PictureThread.Wait?, _ picture: PictureReading) -> String {
    switch wait {
    case .queue(let queue): "waits for \(picture.name(of: .queue(queue)))"
    case .lock(let lock):
      picture.tasks.locks[lock].map { "waits for a lock that \(picture.threadName($0)) holds" }
        ?? "waits for a lock"
    case .thread(let id): "waits for the end of \(picture.threadName(id))"
    case .signal: "waits for a signal"
    case .time: "waits for a limited time"
    case .call, .work, nil: "is in a blocking call"
    }
  }

  // MARK: The pool

  /// Reports pools all of whose threads are blocked while tasks wait for a thread.
  func reportStarvedPools(_ about: RuleDescription, in run: EndedRun) {
    guard let processors = tasks.processors else { return }
    var waiting: [String: [PictureTask]] = [:]
    for task in enqueued({ $0 == .pool }) {
      waiting[Self.pool(of: task.priority), default: []].append(task)
    }
    let running = Set(
      tasks.tasks.compactMap { task -> Int? in
        if case .running(let thread) = task.state { thread } else { nil }
      })
    for (pool, queued) in waiting {
      // The name alone is no proof, because a thread inherits its creator's name.
      let threads = tasks.threads.filter {
        threadHasName($0.kernelID, endingIn: pool) && running.contains($0.kernelID)
      }
      guard threads.count >= processors, threads.allSatisfy({ isBlocked($0.kernelID) }) else {
        continue
      }
      let ids = threads.map(\.kernelID)
      if ids.contains(where: { id in circles.contains { $0.contains(.thread(id)) } }) { continue }
      run.report(FindingKey(about.id, pool.hashValue)) { starved(pool, ids, queued, about) }
    }
  }

  /// Returns the suffix of the names that Dispatch gives the pool threads of a priority.
  private static func pool(of priority: CrashTask.Priority) -> String {
    switch priority.rawValue {
    case 33...: "interactive-qos"
    case 25..<33: "initiated-qos"
    case 21..<25: "default-qos"
    case 17..<21: "utility-qos"
    case 0: "default-qos"
    default: "background-qos"
    }
  }

  private func starved(
    _ pool: String, _ threads: [Int], _ queued: [PictureTask], _ about: RuleDescription
  ) -> Finding {
    let places = threads.compactMap { place(ofThread: $0) }
    let culprit = places.max { one, other in
      places.count { $0 == one } < places.count { $0 == other }
    }
    let name = culprit.map(DisplayText.name) ?? "code"
    let givers = threads.flatMap { tasks.thread($0)?.awaitedTasks ?? [] }
    let giver = queued.first { givers.contains($0.id) }
    // The pool is certainly stuck only if its threads wait for work that needs a pool thread; other
    // waits may end at any time.
    let isForGood = giver != nil || threads.allSatisfy { graph.stuck.contains(.thread($0)) }
    var finding = Finding(
      rule: about.id, severity: isForGood ? .error : .warning,
      title: "\(DisplayText.capitalized(name)) blocks all \(threads.count) threads that run tasks",
      culprit: culprit, api: nil,
      fix: Finding.Fix(
        "Await in \(name) instead of blocking, or run blocking code on dedicated threads."),
      identity: "picture pool", defect: culprit.map { "\($0.module) \($0.function)" } ?? "pool")
    finding.cause = threads.map { id in
      Finding.Step(
        Self.words(tasks.thread(id)?.wait, self), thread: threadName(id), queue: nil,
        place: place(ofThread: id))
    }
    finding.evidence = [turn(queued)]
    if let giver {
      finding.evidence.append(
        Finding.Evidence(
          "\(taskName(giver.id)), one of the waiting tasks, refers to the signal that a thread waits for",
          place: place(of: giver)))
    }
    if let waiters = waiters(for: queued.map { .task($0.id) }) { finding.evidence.append(waiters) }
    finding.lastsToEnd = true
    return finding
  }
}

import IncidentModel

/// Finds the main queue waiting for somebody who waits for the main queue.
final class SyncDeadlock: Rule {
  static let about = RuleDescription(
    id: "sync-deadlock", severity: .error, title: "The main queue waited for a worker that waited for it",
    law: """
      Speaks where the stacks recorded at the end show the main queue's thread waiting, and another \
      thread inside a synchronous call to a queue at the same moment; and of a crash in a synchronous \
      call to the queue that its own thread holds.
      """,
    cause: """
      The main queue waits for a worker, by sync, a group or a semaphore; the worker calls \
      DispatchQueue.main.sync. Neither ever goes on.
      """,
    evidence: "The stacks of both threads.",
    mend: "Let one of the two not wait: main.async in the worker, or a completion on main.",
    triggers: """
      DispatchQueue.main.async { worker.sync { DispatchQueue.main.sync { show() } } }
      """,
    spares: """
      DispatchQueue.main.async { worker.async { DispatchQueue.main.async { show() } } }
      """)

  let interest = KindSet()

  func finish(in scene: Scene) {
    guard let crash = CrashReading(in: scene) else { return }
    if crash.isOwnDeadlock { return scene.report(DraftKey(Self.about.id, 1)) { own(crash, scene) } }
    let threads = (crash.crash.thread.map { [$0] } ?? []) + crash.crash.otherThreads
    let readings = threads.map { thread in
      Waiting(thread, scene.frames(of: thread.stack, when: crash.crash.monotonic))
    }
    guard let main = readings.first(where: { $0.thread.onMain == .yes && $0.isWaiting }),
      let worker = readings.first(where: { $0.thread.onMain != .yes && $0.waitsForQueue })
    else { return }
    scene.report(DraftKey(Self.about.id, 2)) { finding(main, worker, crash, scene) }
  }

  /// A thread that waits, and for what.
  private struct Waiting {
    let thread: CrashThread
    let reading: StackReading
    let isWaiting: Bool
    let waitsForQueue: Bool

    init(_ thread: CrashThread, _ frames: [Frame]) {
      self.thread = thread
      reading = StackReading(frames)
      let names = frames.prefix { $0.role != .code }.map(\.place.function)
      waitsForQueue = names.contains { $0.hasPrefix("__DISPATCH_WAIT_FOR_QUEUE__") }
      isWaiting =
        reading.touched != nil
        && (waitsForQueue || names.contains { name in Self.waits.contains(where: name.hasPrefix) })
    }

    private static let waits = [
      "_dispatch_semaphore_wait", "dispatch_semaphore_wait", "_dispatch_sema4_wait",
      "_dispatch_group_wait", "dispatch_group_wait", "pthread_join", "__pthread_join",
      "pthread_cond_wait", "___pthread_cond_wait", "__pthread_cond_wait", "sem_wait",
    ]

    /// The thread in words.
    var name: String {
      thread.name.isEmpty ? "thread \(thread.kernelID)" : "thread \(thread.kernelID) \"\(thread.name)\""
    }
  }

  private func finding(
    _ main: Waiting, _ worker: Waiting, _ crash: CrashReading, _ scene: Scene
  ) -> Finding {
    let culprit = worker.reading.touched.map { SourceLine.added(to: $0.place) }
    let holder = main.reading.touched.map { Words.name($0.place) } ?? "code"
    let waiter = culprit.map(Words.name) ?? "code"
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "\(Words.capitalized(holder)) made the main queue wait while \(waiter) waited for it",
      culprit: culprit, api: main.reading.touched?.place.function, mend: mend,
      identity: main.reading.touched?.place.function ?? "", defect: "deadlock")
    finding.cause = [
      Finding.Step(
        "the main queue waits in", thread: main.name, queue: main.thread.queue?.label,
        place: main.reading.touched?.place),
      Finding.Step(
        "a worker waits for a queue in", thread: worker.name, queue: worker.thread.queue?.label,
        place: culprit),
    ]
    finding.evidence = [
      Finding.Evidence("the process was ended by \(Signals.describe(crash.crash)) while both waited")
    ]
    finding.wall = crash.crash.wall
    finding.nearby = scene.lastCrumbs
    return finding
  }

  private func own(_ crash: CrashReading, _ scene: Scene) -> Finding {
    let queue = Words.queue(crash.queue)
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "A synchronous call to \(queue) was made on \(queue) itself, which can never return",
      culprit: crash.culprit, api: crash.queue, mend: mend, identity: "own", defect: "deadlock")
    finding.evidence = [Finding.Evidence(Signals.describe(crash.crash))]
    finding.thread = crash.threadName(in: scene)
    finding.queue = crash.queue
    finding.wall = crash.crash.wall
    finding.nearby = scene.lastCrumbs
    return finding
  }

  private var mend: Finding.Mend {
    Finding.Mend(
      "Let one of the two not wait: send the work and go on.",
      sketch: ["DispatchQueue.main.async { … }  // instead of sync"])
  }
}

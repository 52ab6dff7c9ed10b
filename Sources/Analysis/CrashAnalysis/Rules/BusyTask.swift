import IncidentModel

/// Finds tasks that compute while others wait for their actor, and cancelled tasks that go on.
final class BusyTask: Rule {
  static let about = RuleDescription(
    id: "busy-task", severity: .warning,
    title: "A task computed while others waited, or though it was cancelled",
    firesWhen: """
      In two readings of a process, half a second apart, the same task runs, and its thread used a \
      processor in between for at least a quarter of the time, or waited for one. It is cancelled, or it runs on an \
      actor or on the main queue for which the same tasks wait in both readings. In a log, the process had not ended \
      some seconds after it was asked to, and the thread of a cancelled task computed for most of a second; such a \
      finding is an error if the process was killed.
      """,
    cause: """
      A long computation on an actor keeps all that need the actor waiting. A loop that ignores \
      cancellation goes on forever: Task.sleep returns at once in a cancelled task, so a loop \
      that sleeps between its steps computes without a pause.
      """,
    evidence: """
      The place of the computation and its async callers, its share of a processor, and the tasks \
      that wait.
      """,
    fix: """
      Compute outside the actor, or let others have their turn with Task.yield. Leave loops when \
      Task.isCancelled is true, and do not ignore the error of Task.sleep.
      """,
    triggers: """
      while true {
        try? await Task.sleep(for: .seconds(5))
      }
      """,
    spares: """
      while true {
        try await Task.sleep(for: .seconds(5))
      }
      """)

  let interest = Interest()

  func finish(in run: EndedRun) {
    // A process that ended by itself has ended its tasks.
    if run.ending != .clean {
      for samples in run.standing.cancelled { Self.report(samples, in: run) }
    }
    guard let picture = run.picture, let lasting = picture.tasks.lasting else { return }
    for task in picture.tasks.tasks where lasting.busy.contains(task.id) {
      guard case .running(let thread?) = task.state else { continue }
      let held = Self.held(by: thread, picture)
      let waiting = held.map { held in
        picture.enqueued { $0 == held.executor }.filter { lasting.waiting.contains($0.id) }
      }
      if let held, let waiting, !waiting.isEmpty {
        run.report(FindingKey(Self.about.id, task.id.hashValue)) {
          Self.finding(task, thread, held.name, waiting, picture, lasting.span)
        }
      } else if task.flags.contains(.cancelled) {
        run.report(FindingKey(Self.about.id, task.id.hashValue)) {
          Self.finding(cancelled: task, thread, picture, lasting.span)
        }
      }
    }
  }

  /// The actor or the main queue that a thread runs on.
  private static func held(
    by thread: Int, _ picture: PictureReading
  ) -> (executor: PictureExecutor, name: String)? {
    if let actor = picture.tasks.thread(thread)?.actor {
      return (.actor(actor), picture.name(of: .actor(actor)))
    }
    return picture.tasks.mainQueue?.holder == thread ? (.main, "the main queue") : nil
  }

  /// The innermost function of the program that both readings show: a function that it calls has returned in between.
  /// An accessor that the compiler generated has no line.
  private static func culprit(
    _ task: PictureTask, _ thread: Int, _ picture: PictureReading
  ) -> CodePlace? {
    let first = picture.places(
      on: [picture.stack(ofThread: thread), task.stack].compactMap(\.self))
    let second = picture.places(on: picture.tasks.lasting?.stacks[task.id] ?? [])
    let lasting = Set(second.map(\.function))
    let both = first.filter { lasting.contains($0.function) }
    return (both.first { $0.line ?? 0 > 0 } ?? both.first ?? first.first).map(SourceLine.added)
  }

  private static func finding(
    _ task: PictureTask, _ thread: Int, _ held: String, _ waiting: [PictureTask],
    _ picture: PictureReading, _ span: UInt64
  ) -> Finding {
    let culprit = culprit(task, thread, picture)
    let name = culprit.map(DisplayText.name) ?? "code"
    let who = "\(picture.count(waiting.map(\.id))) \(waiting.count == 1 ? "waits" : "wait")"
    var finding = finding(
      task, thread, picture, span, culprit,
      title: "\(DisplayText.capitalized(name)) computes on \(held) while \(who)",
      fix:
        "Compute outside \(held) and come back with the result, or let others have their turn with Task.yield."
    )
    finding.evidence.append(picture.turn(waiting))
    if let waiters = picture.waiters(for: waiting.map { .task($0.id) }) {
      finding.evidence.append(waiters)
    }
    if task.flags.contains(.cancelled) {
      finding.evidence.append(Finding.Evidence("\(picture.taskName(task.id)) is cancelled"))
    }
    return finding
  }

  private static func finding(
    cancelled task: PictureTask, _ thread: Int, _ picture: PictureReading, _ span: UInt64
  ) -> Finding {
    let culprit = culprit(task, thread, picture)
    return finding(
      task, thread, picture, span, culprit,
      title: cancelledTitle(culprit, picture.taskName(task.id)), fix: cancelledFix(culprit).text)
  }

  private static func finding(
    _ task: PictureTask, _ thread: Int, _ picture: PictureReading, _ span: UInt64,
    _ culprit: CodePlace?, title: String, fix: String
  ) -> Finding {
    var finding = Finding(
      rule: about.id, severity: about.severity, title: title, culprit: culprit, api: nil,
      fix: Finding.Fix(fix), identity: "busy",
      defect: culprit.map { "\($0.module) \($0.function)" } ?? "busy")
    finding.thread = picture.threadFacts(thread)
    finding.cause = [
      Finding.Step("computes", thread: picture.taskName(task.id), queue: nil, place: culprit)
    ]
    finding.evidence = [
      Finding.Evidence(
        "it ran on a processor in two readings, \(TimeSpan.text(nanoseconds: span)) apart, and most of the time between them"
      )
    ]
    finding.lastsToEnd = true
    return finding
  }

  // MARK: Slow shutdowns

  private static func report(_ samples: [StandingThreads.Thread], in run: EndedRun) {
    let places = samples.map { sample in
      let reading = run.read(sample.holder.frames)
      return (reading.links + reading.awaiting).map(\.frame.place)
    }
    // A function that returned between two samples did not compute all the time.
    let all = places.filter { !$0.isEmpty }
    let lasting = all.first?.filter { place in
      all.allSatisfy { $0.contains { $0.function == place.function } }
    }
    guard
      let culprit = (lasting?.first { $0.line ?? 0 > 0 } ?? lasting?.first).map(SourceLine.added),
      let sample = samples.first(where: \.isCancelled), let thread = sample.holder.thread
    else { return }
    let task = sample.holder.task.map { "task \($0)" } ?? "its task"
    let time = TimeSpan.text(nanoseconds: samples.map(\.lasted).max() ?? 0)
    let isAtEnd = run.standing.isOfShutdown
    run.report(FindingKey(about.id, culprit.function.hashValue)) {
      var finding = Finding(
        rule: about.id,
        severity: isAtEnd && run.manner.kind == .asked ? .error : about.severity,
        title: cancelledTitle(culprit, task), culprit: culprit, api: nil,
        fix: cancelledFix(culprit),
        identity: "busy", defect: "\(culprit.module) \(culprit.function)")
      finding.thread = thread
      finding.cause = [
        Finding.Step(
          "computes in \(task)", thread: run.thread(kernelID: thread.id, thread.name),
          queue: sample.holder.queue, place: culprit)
      ]
      finding.evidence = [
        Finding.Evidence(
          "\(run.standing.moment(in: run)), its thread had computed for most of \(time), and \(task) was cancelled"
        )
      ]
      // A request may have been answered long before the end.
      finding.lastsToEnd = isAtEnd
      return finding
    }
  }

  private static func cancelledTitle(_ place: CodePlace?, _ task: String) -> String {
    let name = place.map(DisplayText.name) ?? "code"
    return "\(DisplayText.capitalized(name)) goes on computing though \(task) is cancelled"
  }

  private static func cancelledFix(_ place: CodePlace?) -> Finding.Fix {
    let name = place.map(DisplayText.name) ?? "code"
    return Finding.Fix(
      "Leave \(name) when Task.isCancelled is true, and do not ignore the error of Task.sleep: it returns at once in a cancelled task."
    )
  }
}

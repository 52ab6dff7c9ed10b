import IncidentModel

/// Finds continuations that are never resumed: their tasks wait forever.
final class LeakedContinuation: Rule {
  static let about = RuleDescription(
    id: "leaked-continuation", severity: .error,
    title: "A continuation was never resumed",
    firesWhen: """
      The Swift runtime reported that a checked continuation was dropped without being resumed. As \
      a note: at a crash, a task had waited for a continuation for a minute or longer, for the \
      first time in that place. Loops and sleeps do not count. The note does not distinguish a \
      lost continuation from a late answer, or from a server that waits for its first request. In a \
      picture of a process, a task waits for a continuation to which nothing in memory refers, or for \
      a stream to which nothing refers that could add an element, finish it, or cancel the task.
      """,
    cause: """
      A callback resumes the continuation on one path only, and not after an error or a \
      cancellation. Or the object that holds the callback is gone.
      """,
    evidence: """
      The message of the runtime, with the stack of the code that dropped the continuation, or the \
      place where its task waits; with waiting tasks, the place where the task continues, its \
      callers, and its waiting time.
      """,
    fix: """
      Resume the continuation on every path, exactly once; for a cancelled task from \
      withTaskCancellationHandler.
      """,
    triggers: """
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        download.start { prices in
          if !prices.isEmpty { continuation.resume() }  // else never
        }
      }
      """,
    spares: """
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        download.start { _ in continuation.resume() }
      }
      """)

  private static let longWait: UInt64 = 60_000_000_000

  let interest = Interest(.error)

  /// The functions that lost a continuation, and their findings. The end of the run may provide a
  /// place for a finding.
  private var lost: [(function: String, finding: Finding, count: Int, place: Int)] = []
  private let most = 1024

  func observe(_ event: Event, in run: RunState) {
    guard let function = Self.loser(in: event) else { return }
    if let known = lost.firstIndex(where: { $0.function == function }) {
      lost[known].count += 1
      return
    }
    guard lost.count < most else { return }
    let reading = run.reading(of: event)
    let own = reading.links.map(\.frame.place)
    // Compiler-generated code, such as a deinitializer, has no line.
    let dropped = own.first { $0.line ?? 0 > 0 } ?? own.first
    // The creating function dropped the continuation, so its caller is the waiting task.
    let waits = reading.awaiting.map(\.frame.place).first { $0.line ?? 0 > 0 }
    let source = ContinuationSource(
      of: function, near: own + reading.awaiting.map(\.frame.place))
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity,
      title: "\(function) lost its continuation: the task that waits there never continues",
      // If a queue or the runtime released the continuation, no own code is on the stack.
      culprit: (dropped ?? waits ?? source?.made).map(SourceLine.added), api: nil,
      fix: fix(function, source), identity: function, defect: "continuation \(function)")
    finding.evidence = [Finding.Evidence(event.message)]
    let replaced = dropped.flatMap(ReplacedContinuation.init)
    if let replaced, let dropped {
      finding.title =
        "\(function) replaced a pending continuation in “\(replaced.store)”"
      finding.fix = replaced.fix(source?.resumes.count == 1 ? source?.resumes[0] : nil)
      finding.evidence.append(
        Finding.Evidence(
          "a second call stored its continuation in “\(replaced.store)” here, which dropped the pending one",
          place: dropped))
    } else if let dropped {
      finding.evidence.append(
        Finding.Evidence("the last reference to the continuation was released here", place: dropped)
      )
    } else if let waits {
      finding.evidence.append(
        Finding.Evidence(
          "the last reference to the continuation was released in this call, which passed it on: no code had stored it",
          place: waits))
    }
    if let made = source?.made, made.line != finding.culprit?.line {
      finding.evidence.append(Finding.Evidence("the continuation was created here", place: made))
    }
    finding.evidence += (source?.resumes ?? []).prefix(3).map {
      Finding.Evidence("this line would have resumed the continuation", place: $0)
    }
    finding.lastsToEnd = true
    finding.nearby = run.nearby(event)
    finding.thread = run.threadName(event.thread)
    finding.queue = event.queue?.label
    finding.wall = event.wall
    lost.append((function, finding, 1, run.place(of: event)))
  }

  private func fix(_ function: String, _ source: ContinuationSource?) -> Finding.Fix {
    guard let source, let only = source.resumes.first else {
      return Finding.Fix(
        "Resume the continuation of \(function) on every path, before its last reference is released."
      )
    }
    let place = only.shortPosition ?? ""
    return Finding.Fix(
      source.resumes.count == 1
        ? "Only \(place) resumes the continuation of \(function): resume it also on the paths that do not reach that line."
        : "Resume the continuation of \(function) also on the path that reaches none of its \(source.resumes.count) resume calls (the first is at \(place))."
    )
  }

  func finish(in run: EndedRun) {
    let waiting = lost.isEmpty ? [] : run.continuationWaits
    for (function, finding, count, place) in lost {
      var finding = finding
      finding.culprit = culprit(finding.culprit, lostBy: function, waiting: waiting)
      run.report(FindingKey(Self.about.id, function.hashValue), count: count, at: place) { finding }
    }
    run.picture?.reportLostContinuations(Self.about, in: run)
    noteOldOnes(in: run)
  }

  /// Returns the function that dropped the continuation, else the place where its task waits. An
  /// optimized build may have inlined the function; then the result is the only place where tasks
  /// wait.
  private func culprit(
    _ dropped: CodePlace?, lostBy function: String, waiting: [CodePlace]
  ) -> CodePlace {
    let named = waiting.first {
      $0.name == function || $0.name.hasSuffix("." + function)
    }
    guard let dropped else { return named ?? CodePlace(function: function, module: "") }
    let beside = Set(waiting.filter { $0.function == dropped.function })
    return named == nil && beside.count == 1 ? beside.first! : dropped
  }

  private func noteOldOnes(in run: EndedRun) {
    guard let crash = run.crash?.crash, let waiting = crash.waiting else { return }
    for place in waiting.places
    where place.kind == .continuation && !place.isLoop && place.oldest >= Self.longWait {
      let frames = run.frames(of: place.stack, when: crash.monotonic)
      let reading = run.read(frames)
      guard !reading.isAsleep, let own = reading.awaiting.first else { continue }
      let culprit = own.frame.place
      run.report(FindingKey(Self.about.id, culprit.hashValue)) { note(place, culprit) }
    }
  }

  private func note(_ place: WaitingTasks.Place, _ culprit: CodePlace) -> Finding {
    let age = TimeSpan.text(nanoseconds: place.oldest)
    let who = place.tasks == 1 ? "A task" : "\(place.tasks) tasks"
    var finding = Finding(
      rule: Self.about.id, severity: .note,
      title: "\(who) had waited in \(DisplayText.name(culprit)) for \(age) at the end of the run",
      culprit: culprit, api: nil,
      fix: Finding.Fix(
        "Check that every path of the code that \(DisplayText.name(culprit)) waits for resumes the continuation."
      ),
      identity: "age", defect: "continuation \(culprit.function)")
    finding.evidence = [
      Finding.Evidence(place.words),
      Finding.Evidence(
        "the waiting time is the only sign: a slow answer, or a server that waits for its first request, looks the same"
      ),
    ]
    return finding
  }

  /// Returns the function that lost a continuation, from the runtime's message; nil for other
  /// events.
  static func loser(in event: Event) -> String? {
    guard event.category == "swift-runtime" else { return nil }
    return ContinuationSource.function(in: event.message, before: " leaked its continuation")
  }
}

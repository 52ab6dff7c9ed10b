import IncidentModel

/// Finds continuations that are never resumed: their tasks wait forever.
final class LeakedContinuation: Rule {
  static let about = RuleDescription(
    id: "leaked-continuation", severity: .error,
    title: "A continuation was never resumed",
    firesWhen: """
      The Swift runtime reported that a checked continuation was dropped without being resumed. In a \
      picture of a process, a task waits for a continuation to which nothing in memory refers, or for \
      a stream to which nothing refers that could add an element, finish it, or cancel the task.
      """,
    cause: """
      A callback resumes the continuation on one path only, and not after an error or a \
      cancellation. Or the object that holds the callback is gone.
      """,
    evidence: """
      The message of the runtime, with the stack of the code that dropped the continuation, or the \
      place where its task waits, and the callers of the task.
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

  /// Returns the function that lost a continuation, from the runtime's message; nil for other
  /// events.
  static func loser(in event: Event) -> String? {
    guard event.category == "swift-runtime" else { return nil }
    return ContinuationSource.function(in: event.message, before: " leaked its continuation")
  }
}

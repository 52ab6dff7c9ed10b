import IncidentModel

/// A hang whose thread waited for a lock: the waiting code, and the code that owns the lock.
struct LockWait {
  /// The owner of the lock.
  struct Keeper {
    let thread: Hang.Holder
    /// The line that the owner is executing while it holds the lock.
    let place: CodePlace
    /// The line that took the lock; nil if the source does not show that line.
    let takenAt: CodePlace?
    /// The innermost own function, if it differs from `place`.
    let doing: CodePlace?
    /// True if the owner is the waiting thread itself.
    var isWaiter = false
  }

  private let hang: Hang
  private let waitsAt: CodePlace
  /// The awaited lock, from the source of the waiting line; nil if the source is not available.
  private let wanted: SourceGuard?
  private let keeper: Keeper?
  private let isOfQueue: Bool
  /// The lock or queue that the waiting thread holds meanwhile, from its source.
  private let held: HeldSections.Section?
  /// Other sections of the lock that call a function before they release it.
  private let suspects: [(section: HeldSections.Section, call: CodePlace)]

  /// Finds the awaited lock and its owner.
  ///
  /// - Returns: nil unless every holder of the hung executor waits for a lock or queue.
  init?(_ hang: Hang, in run: RunState) {
    guard run.isRecording, let waitsAt = run.read(hang.frames).touched?.place,
      hang.holders.allSatisfy(\.waitsForLock)
        || hang.executor.kind != .pool && hang.holders.allSatisfy(\.waitsForQueue)
    else { return nil }
    self.hang = hang
    isOfQueue = hang.holders[0].waitsForQueue
    self.waitsAt = SourceLine.added(to: waitsAt)
    let source = HeldSections(near: waitsAt)
    let wanted = source?.taken(at: waitsAt.line)?.holds
    self.wanted = wanted
    held =
      run.read(hang.frames).links.dropFirst().lazy.compactMap { link in
        HeldSections(near: link.frame.place)?.around(link.frame.place.line).first {
          $0.holds != wanted
        }
      }.first
    // Other holders may wait for other locks.
    let owned = hang.holders.lazy.filter { run.read($0.frames).touched?.place == waitsAt }
      .compactMap { holder in
        holder.thread.flatMap { hang.lockOwners[$0.id] }.map { (holder, $0) }
      }.first
    keeper = owned.flatMap { waiter, owner in
      let isWaiter = waiter.thread?.id == owner.thread?.id
      return Self.keeper(owner, of: wanted, waitedFor: waitsAt, isWaiter: isWaiter)
    }
    suspects = keeper == nil ? wanted.flatMap { source?.long($0, besides: waitsAt.line) } ?? [] : []
  }

  private static func keeper(
    _ owner: Hang.Holder, of wanted: SourceGuard?, waitedFor waitsAt: CodePlace, isWaiter: Bool
  ) -> Keeper? {
    let all = owner.frames.filter { $0.role == .code && !$0.isAwaiting }.map(\.place)
    // If the thread waits for itself, its innermost frame is the wait.
    let code = isWaiter ? Array(all.dropFirst()) : all
    guard let innermost = code.first else { return nil }
    for place in code {
      let sections = HeldSections(near: place)?.around(place.line) ?? []
      guard let section = sections.first(where: { $0.holds == wanted }) else { continue }
      return Keeper(
        thread: owner, place: SourceLine.added(to: place), takenAt: section.place,
        doing: innermost == place ? nil : SourceLine.added(to: innermost), isWaiter: isWaiter)
    }
    // Without source, assume that the waiting type owns the lock.
    let type = FunctionName(waitsAt.function).type
    let place = code.first { !type.isEmpty && FunctionName($0.function).type == type } ?? innermost
    return Keeper(
      thread: owner, place: SourceLine.added(to: place), takenAt: nil,
      doing: innermost == place ? nil : SourceLine.added(to: innermost), isWaiter: isWaiter)
  }

  // MARK: The finding

  /// Returns the finding about the lock.
  ///
  /// - Parameter time: The duration, as the end of a title.
  func finding(
    of about: RuleDescription, _ time: String, _ evidence: [Finding.Evidence], in run: RunState
  ) -> Finding {
    let executor = hang.executor.words
    var finding = Finding(
      rule: about.id, severity: .error,
      title: keeper.map {
        $0.isWaiter
          ? "\(DisplayText.capitalized(DisplayText.name(waitsAt))) waited for a lock that its own thread holds, on \(executor)\(time)"
          : "\(DisplayText.capitalized(DisplayText.name($0.place))) held a lock that \(executor) waited for\(time)"
      }
        ?? "\(DisplayText.capitalized(executor)) waited for \(isOfQueue ? wanted?.words ?? "a queue" : "a lock") in \(DisplayText.name(waitsAt))\(time)",
      culprit: keeper?.place ?? waitsAt, api: nil, fix: fix,
      identity: "lock \(executor)", defect: defect)
    finding.thread = hang.holder
    finding.cause = steps(in: run)
    finding.evidence = facts + evidence.filter { !Self.isOfWait($0) }
    return finding
  }

  /// The `defect` of all findings about this lock: the lock's name, or the function that holds it.
  private var defect: String {
    if let wanted { return "lock \(wanted.type) \(wanted.name)" }
    let place = keeper?.place ?? waitsAt
    return "lock \(place.module) \(place.function)"
  }

  private var facts: [Finding.Evidence] {
    if isOfQueue {
      return held.map {
        [
          Finding.Evidence(
            "the waiting thread holds \($0.holds.words), taken here", place: $0.place)
        ]
      } ?? []
    }
    guard keeper == nil else {
      return [Finding.Evidence("the lock itself names its owner")]
    }
    let unknown = Finding.Evidence("the owner of the lock was not recorded")
    return [unknown]
      + suspects.prefix(2).map {
        Finding.Evidence(
          "this line also takes the lock, and holds it during a call", place: $0.section.place)
      }
  }

  /// A thread that waits for a lock sleeps, so this evidence adds no information.
  private static func isOfWait(_ evidence: Finding.Evidence) -> Bool {
    evidence.text.hasPrefix("the thread slept")
      || evidence.text.hasPrefix("each of these threads waited")
  }

  private func steps(in run: RunState) -> [Finding.Step] {
    var steps: [Finding.Step] = []
    if let keeper {
      let thread = keeper.thread.thread.map { run.thread(kernelID: $0.id, $0.name) } ?? ""
      let queue = keeper.thread.queue
      if let taken = keeper.takenAt, taken.line != keeper.place.line {
        steps.append(Finding.Step("takes the lock", thread: thread, queue: queue, place: taken))
      }
      steps.append(
        Finding.Step("holds the lock", thread: thread, queue: queue, place: keeper.place))
      if let doing = keeper.doing {
        steps.append(Finding.Step("meanwhile", thread: thread, queue: queue, place: doing))
      }
    }
    return steps
      + HolderSteps.steps(hang.holders, in: run) { _ in
        isOfQueue ? "waits for \(wanted?.words ?? "a queue")" : "waits for the lock"
      }
  }

  private var fix: Finding.Fix {
    func edit(_ call: CodePlace, _ taken: CodePlace) -> String {
      "the call at \(call.shortPosition ?? "this line") before \(taken.shortPosition ?? "it") takes the lock, and hold "
        + "the lock only to store its result"
    }
    if isOfQueue {
      let queue = wanted?.words ?? "the queue"
      guard let held, let call = waitsAt.shortPosition else {
        return Finding.Fix(
          "Find the work on \(queue) that runs long or waits: all later work of the queue waits too."
        )
      }
      return Finding.Fix(
        "Release \(held.holds.words) before the wait at \(call): work of \(queue) that needs it can never run."
      )
    }
    if let keeper, keeper.isWaiter {
      let since = (keeper.takenAt ?? keeper.place).shortPosition.map { ", since \($0)" } ?? ""
      return Finding.Fix(
        "This thread already holds the lock\(since): move the work of \(DisplayText.name(waitsAt)) into a "
          + "function that takes no lock, and call that function here.")
    }
    if let keeper {
      if let taken = keeper.takenAt, taken.line != keeper.place.line {
        return Finding.Fix("Make \(edit(keeper.place, taken)).")
      }
      return Finding.Fix(
        "In \(DisplayText.name(keeper.place)), hold the lock only to read or store a value, and make slow "
          + "calls before taking it."
      )
    }
    if suspects.count == 1, let only = suspects.first {
      return Finding.Fix(
        "If that line held the lock, make \(edit(only.call, only.section.place)).")
    }
    let line = waitsAt.source.map { " of “\($0)”" } ?? ""
    return Finding.Fix(
      "Find the code that holds the lock\(line) during a slow call, and make that call before taking the lock."
    )
  }
}

extension Hang.Holder {
  /// True if the holder waits in a synchronous call to a queue.
  var waitsForQueue: Bool {
    frames.prefix { $0.role != .code }.contains {
      $0.place.function.hasPrefix("__DISPATCH_WAIT_FOR_QUEUE__")
    }
  }

  /// True if the holder waits for a mutex that another thread owns.
  var waitsForLock: Bool {
    frames.prefix { $0.role != .code }.map(\.place.function).contains(
      where: WaitFunctions.isLock)
  }
}

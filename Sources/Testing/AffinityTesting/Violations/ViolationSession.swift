import Dispatch
import Synchronization
import Testing
import ThreadAffinity

/// A period of a test in which violations are collected from all threads.
final class ViolationSession: Sendable {
  /// A predicate for the violations of a session.
  typealias Filter = @Sendable (AffinityViolation) -> Bool

  /// The enclosing session, which receives the violations that this session's filter rejects.
  let parent: ViolationSession?
  /// Returns true for each violation that the session takes; nil if the session takes all.
  private let expected: Filter?
  private let allowances: [ViolationAllowance]
  /// The test of the session.
  let test: TestName
  /// The unfinished work that was sent in the session.
  let work = WorkInFlight()
  /// The positions of the work that was sent in the session.
  let order = SendingOrder()
  /// The gate at which work sent by a turn waits until the turn is over.
  let gate = TurnGate()
  /// The holder of the session's tasks; nil if tasks are not held.
  let tasks: TaskHold?
  /// The hops that were made in the session and, while a storm plays, the hops whose targets were
  /// lost before.
  private let hops = Mutex<(made: [WeakReference], lost: [any WeakHop]?)>(([], nil))
  /// True once a hop of the session has called its target.
  private let hasCalled = Atomic(false)
  private let hasEnded = Mutex(false)
  private let caught = Mutex<[CaughtViolation]>([])
  /// The message about work that did not finish; nil if all work finished.
  private let loss = Mutex<String?>(nil)

  /// The session of the calling task.
  @TaskLocal static var current: ViolationSession?

  init(
    expecting expected: Filter? = nil, allowing allowances: [ViolationAllowance] = [],
    case name: String? = nil, ordering tasks: TaskHold? = nil
  ) {
    parent = ViolationSession.current ?? SessionRegistry.caseSession
    self.expected = expected
    self.allowances = allowances
    self.tasks = tasks
    test =
      Test.current.map { TestName($0) } ?? name.map { TestName(case: $0) } ?? parent?.test
      ?? TestName(case: "an XCTest case")
  }

  /// True if the session has ended.
  var isOver: Bool { hasEnded.withLock { $0 } }

  func end() { hasEnded.withLock { $0 = true } }

  func noteHop(_ hop: any WeakHop) {
    hops.withLock { if $0.lost == nil { $0.made.append(WeakReference(hop: hop)) } }
  }

  func noteCall() { for session in chain { session.hasCalled.store(true, ordering: .relaxed) } }

  /// Called when a storm starts to play a schedule. The schedule may release targets, for example
  /// by a cancel, so from this point on only targets that are already lost are reported.
  func beginToPlay() {
    hops.withLock { hops in
      hops = ([], hops.made.compactMap(\.hop).filter(\.hasLostTarget))
    }
  }

  /// True if the test fails when the hop's target is released before any call.
  func reportsLostTarget(of hop: any WeakHop) -> Bool {
    hops.withLock { $0.lost?.contains { $0 === hop } ?? true }
  }

  /// This session and its enclosing sessions, from the inside out.
  var chain: some Sequence<ViolationSession> { sequence(first: self, next: \.parent) }

  /// The time that a test waits at its end for work that it has sent.
  private static let patience = DispatchTimeInterval.seconds(2)

  /// Waits until the work of the session has finished, but at most `patience`.
  private func settle(isolation: isolated (any Actor)? = #isolation) async {
    if work.isSettled() { return }
    await withCheckedContinuation { continuation in
      SentWork.onThread { [work] in
        _ = work.settles(within: Self.patience, due: .seconds(0))
        continuation.resume()
      }
    }
  }

  /// True if the session checks a test; false if the session expects certain violations.
  var isChecking: Bool { expected == nil }

  /// Runs `body` in this session.
  ///
  /// - Parameter awaitingMain: True if the call waits for work that `body` has sent.
  func run<Result>(
    awaitingMain: Bool = true, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    SessionRegistry.begin(self)
    defer { SessionRegistry.end(self) }
    return try await ViolationSession.$current.withValue(self) {
      try await policy.scoped {
        let result = try await body()
        if awaitingMain { await settle() }
        if awaitingMain, await !MainQueueTurn.comes() { note(MainQueueTurn.loss) }
        return result
      }
    }
  }

  /// Runs `body` in this session, and blocks the calling thread until the session's work has
  /// finished.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    SessionRegistry.begin(self)
    defer { SessionRegistry.end(self) }
    let result = try scoped(body)
    settleHere()
    return result
  }

  /// Waits on the calling thread for the work of the session. On the main thread, the main queue
  /// runs meanwhile.
  func settleHere() {
    let holdsMain = WaitingHere.holdsMain
    let isSettled = WaitingHere.settles(work, within: Self.patience)
    if holdsMain {
      // Inside a block of the main queue, only work on other queues can finish.
      if !isSettled { note(WaitingHere.mainIsKept) }
    } else if !isSettled, work.hasJobs, WaitingHere.isInTask {
      note(WaitingHere.taskIsKept)
    } else if !WaitingHere.mainQueueComes() {
      note(MainQueueTurn.loss)
    }
  }

  private func note(_ loss: String) { self.loss.withLock { $0 = loss } }

  /// Runs `body` on the calling thread as part of this session.
  func scoped<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ViolationSession.$current.withValue(self) { try policy.scoped(body) }
  }

  /// The violations so far. A lost target counts only if the session called no target: an object
  /// may be released before a call for it arrives. A storm knows the targets that were lost before
  /// it began.
  var violations: [CaughtViolation] {
    let all = caught.withLock { $0 }
    let isStorm = hops.withLock { $0.lost != nil }
    if isStorm || !hasCalled.load(ordering: .relaxed) { return all }
    return all.filter { !LostTargets.isReported(by: $0.violation) }
  }

  /// The problems for which the test fails.
  var problems: [TestProblem] {
    TestProblem.all(of: violations)
      + (SessionRegistry.unattributed(for: self) + lost).map { TestProblem(text: $0) }
  }

  /// The messages about work that did not finish.
  private var lost: [String] { loss.withLock { $0.map { [$0] } ?? [] } }

  /// True if the violation passes the session's filter. Allowances are not considered.
  func accepts(_ violation: AffinityViolation) -> Bool { expected?(violation) ?? true }

  /// Stores a violation, unless this session or an enclosing session allows it.
  func take(_ violation: CaughtViolation) {
    if allows(violation.violation) { return }
    caught.withLock { $0.append(violation) }
  }

  func allows(_ violation: AffinityViolation) -> Bool {
    allowances.contains { $0.covers(violation.site, message: violation.message) }
      || parent?.allows(violation) ?? false
  }

  private var policy: ViolationPolicy {
    // The violation is also recorded if there is a recorder: if it ends a child process, the log
    // contains the cause.
    [.record, report]
  }

  private var report: ViolationPolicy {
    .report { [self] violation in
      SessionRegistry.take(
        violation, stack: CaughtViolation.stack(of: violation), from: .session(self))
    }.repeating(.always)
  }
}

private struct WeakReference: Sendable {
  // Immutable after initialization.
  nonisolated(unsafe) weak var hop: (any WeakHop)?
}

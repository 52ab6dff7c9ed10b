import Dispatch
import Synchronization
import Testing
import ThreadAffinity

/// A stretch of a test during which violations are caught, on whichever thread they happen.
final class ViolationSession: Sendable {
  /// A predicate for the violations of a session.
  typealias Filter = @Sendable (AffinityViolation) -> Bool

  /// The session around it, which takes what this one does not.
  let parent: ViolationSession?
  /// Nil if it takes all.
  private let expected: Filter?
  private let allowances: [ViolationAllowance]
  /// The test of the session.
  let test: TestName
  /// The work that was sent in its course and has not ended.
  let work = WorkInFlight()
  /// The work that was sent in the session, counted.
  let order = SendingOrder()
  /// Work that its turns have sent waits here for their ends.
  let gate = TurnGate()
  /// The holder of the tasks that it started; nil if tasks run as they come.
  let tasks: TaskHold?
  /// The hops that were made in its course, and, once a storm plays, those whose targets were gone before.
  private let hops = Mutex<(made: [WeakReference], lost: [any WeakHop]?)>(([], nil))
  /// True once a hop of the session has called its target.
  private let hasCalled = Atomic(false)
  private let hasEnded = Mutex(false)
  private let caught = Mutex<[CaughtViolation]>([])
  /// The reason why work on the main queue was not observed to its end.
  private let loss = Mutex<String?>(nil)

  /// The session that the caller's task is in.
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

  /// Whether its stretch of the test is over.
  var isOver: Bool { hasEnded.withLock { $0 } }

  func end() { hasEnded.withLock { $0 = true } }

  func noteHop(_ hop: any WeakHop) {
    hops.withLock { if $0.lost == nil { $0.made.append(WeakReference(hop: hop)) } }
  }

  func noteCall() { for session in chain { session.hasCalled.store(true, ordering: .relaxed) } }

  /// Called when a storm begins to play a schedule, which may release targets, for example by a cancel. From
  /// then on, only targets that are gone by now count as lost.
  func beginToPlay() {
    hops.withLock { hops in
      hops = ([], hops.made.compactMap(\.hop).filter(\.hasLostTarget))
    }
  }

  /// Returns whether a target that is gone before any call is a failure.
  func reportsLostTarget(of hop: any WeakHop) -> Bool {
    hops.withLock { $0.lost?.contains { $0 === hop } ?? true }
  }

  /// Itself, and those around it from the inside out.
  var chain: some Sequence<ViolationSession> { sequence(first: self, next: \.parent) }

  /// How long a test waits at its end for work that it has sent and that goes on.
  private static let patience = DispatchTimeInterval.seconds(2)

  /// Waits until the work of the session has run, up to a limit.
  private func settle(isolation: isolated (any Actor)? = #isolation) async {
    if work.isSettled() { return }
    await withCheckedContinuation { continuation in
      SentWork.onThread { [work] in
        _ = work.settles(within: Self.patience, due: .seconds(0))
        continuation.resume()
      }
    }
  }

  /// Whether it checks a test rather than wait for something to happen.
  var isChecking: Bool { expected == nil }

  /// Runs `body` as the work of this session.
  ///
  /// - Parameter awaitingMain: Whether to wait for work that `body` has sent.
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

  /// Runs `body` as the body of this session, and waits here for its work.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    SessionRegistry.begin(self)
    defer { SessionRegistry.end(self) }
    let result = try scoped(body)
    settleHere()
    return result
  }

  /// Waits on the calling thread, which may run the main queue, for the work of the session.
  func settleHere() {
    let holdsMain = WaitingHere.holdsMain
    let isSettled = WaitingHere.settles(work, within: Self.patience)
    if holdsMain {
      // Only work on other queues can finish.
      if !isSettled { note(WaitingHere.mainIsKept) }
    } else if !isSettled, work.hasJobs, WaitingHere.isInTask {
      note(WaitingHere.taskIsKept)
    } else if !WaitingHere.mainQueueComes() {
      note(MainQueueTurn.loss)
    }
  }

  private func note(_ loss: String) { self.loss.withLock { $0 = loss } }

  /// Runs `body`, on any thread, as part of this session.
  func scoped<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ViolationSession.$current.withValue(self) { try policy.scoped(body) }
  }

  /// The violations so far. A lost target counts only if no target was called: an object may be released before
  /// a call for it arrives. A storm knows which targets were gone before it began.
  var violations: [CaughtViolation] {
    let all = caught.withLock { $0 }
    let isStorm = hops.withLock { $0.lost != nil }
    if isStorm || !hasCalled.load(ordering: .relaxed) { return all }
    return all.filter { !LostTargets.isReported(by: $0.violation) }
  }

  /// The problems that the test fails for.
  var problems: [TestProblem] {
    TestProblem.all(of: violations)
      + (SessionRegistry.unattributed(for: self) + lost).map { TestProblem(text: $0) }
  }

  /// Work that was not observed to its end.
  private var lost: [String] { loss.withLock { $0.map { [$0] } ?? [] } }

  /// Whether it takes a violation, or allows it.
  func accepts(_ violation: AffinityViolation) -> Bool { expected?(violation) ?? true }

  /// Keeps a violation, unless it is a known debt here or in a session around.
  func take(_ violation: CaughtViolation) {
    if allows(violation.violation) { return }
    caught.withLock { $0.append(violation) }
  }

  func allows(_ violation: AffinityViolation) -> Bool {
    allowances.contains { $0.covers(violation.site, message: violation.message) }
      || parent?.allows(violation) ?? false
  }

  private var policy: ViolationPolicy {
    // Recorded too, where there is a recorder: if the violation ends a child, its log says why.
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
  // Only ever read.
  nonisolated(unsafe) weak var hop: (any WeakHop)?
}

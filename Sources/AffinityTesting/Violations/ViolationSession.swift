import Dispatch
import Synchronization
import Testing
import ThreadAffinity

/// A stretch of a test during which violations are caught, on whichever thread they happen.
final class ViolationSession: Sendable {
  /// Which violations a session takes.
  typealias Filter = @Sendable (AffinityViolation) -> Bool

  /// The session around it, which takes what this one does not.
  let parent: ViolationSession?
  /// Nil where it takes all.
  private let expected: Filter?
  private let allowances: [ViolationAllowance]
  /// Which test it is a part of.
  let test: TestName
  /// The work that was sent in its course and has not ended.
  let work = WorkInFlight()
  /// What keeps back the tasks that it started; nil where they run as they come.
  let tasks: TaskHold?
  private let hasEnded = Mutex(false)
  private let caught = Mutex<[CaughtViolation]>([])
  /// Whether the main queue did not come back at the end.
  private let hasLostMain = Mutex(false)

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

  /// Itself, and those around it from the inside out.
  var chain: some Sequence<ViolationSession> { sequence(first: self, next: \.parent) }

  /// How long a test waits at its end for work that it has sent and that goes on.
  private static let patience = DispatchTimeInterval.seconds(2)

  /// Waits until what was sent in its course has run, for a while.
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

  /// Runs `body` as what this session is about.
  ///
  /// - Parameter awaitingMain: Whether what was sent in its course is waited for.
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
        if awaitingMain, await !MainQueueTurn.comes() { hasLostMain.withLock { $0 = true } }
        return result
      }
    }
  }

  /// Runs `body` as what this session is about.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    SessionRegistry.begin(self)
    defer { SessionRegistry.end(self) }
    return try scoped(body)
  }

  /// Runs `body`, on any thread, as part of this session.
  func scoped<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ViolationSession.$current.withValue(self) { try policy.scoped(body) }
  }

  /// What was caught so far.
  var violations: [CaughtViolation] { caught.withLock { $0 } }

  /// What a test is to fail for, in words.
  var problems: [String] {
    let lost =
      hasLostMain.withLock { $0 } ? ["the main queue did not answer: \(MainQueueTurn.loss)"] : []
    return violations.map { "\($0)" } + SessionRegistry.unattributed(for: self) + lost
  }

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

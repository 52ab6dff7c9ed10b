import Synchronization
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
  private let caught = Mutex<[CaughtViolation]>([])
  /// Whether the main queue did not come back at the end.
  private let hasLostMain = Mutex(false)

  /// The session that the caller's task is in.
  @TaskLocal static var current: ViolationSession?

  init(expecting expected: Filter? = nil, allowing allowances: [ViolationAllowance] = []) {
    parent = ViolationSession.current ?? SessionRegistry.caseSession
    self.expected = expected
    self.allowances = allowances
  }

  /// Whether it checks a test rather than wait for something to happen.
  var isChecking: Bool { expected == nil }

  /// Runs `body` as what this session is about.
  ///
  /// - Parameter awaitingMain: Whether what was sent to the main queue in its course is waited for.
  func run<Result>(
    awaitingMain: Bool = true, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    SessionRegistry.begin(self)
    defer { SessionRegistry.end(self) }
    return try await ViolationSession.$current.withValue(self) {
      try await policy.scoped {
        let result = try await body()
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
    return violations.map { "\($0)" } + lost
  }

  /// Whether it takes a violation, or allows it.
  func accepts(_ violation: AffinityViolation) -> Bool { expected?(violation) ?? true }

  /// Keeps a violation, unless it is a known debt here or in a session around.
  func take(_ violation: CaughtViolation) {
    if allows(violation.violation) { return }
    caught.withLock { $0.append(violation) }
  }

  private func allows(_ violation: AffinityViolation) -> Bool {
    allowances.contains { $0.covers(violation.site, message: violation.message) }
      || parent?.allows(violation) ?? false
  }

  private var policy: ViolationPolicy {
    // Recorded too, where there is a recorder: if the violation ends a child, its log says why.
    [.record, report]
  }

  private var report: ViolationPolicy {
    .report { [self] violation in
      let stack = CaughtViolation.stack(of: violation)
      for session in sequence(first: self, next: \.parent) where session.accepts(violation) {
        return session.take(CaughtViolation(violation, stack: stack, .own))
      }
      SessionRegistry.takeUnscoped(violation, stack: stack)
    }.repeating(.always)
  }
}

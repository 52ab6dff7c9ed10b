import ThreadAffinity

/// A violation without a known test.
final class UnattributedViolation: Sendable {
  let violation: CaughtViolation
  private let reason: String
  /// The sessions to which the violation may belong.
  private let sessions: [ViolationSession]

  init(_ violation: CaughtViolation, reason: String, near sessions: [ViolationSession]) {
    self.violation = violation
    self.reason = reason
    self.sessions = sessions
  }

  convenience init(
    _ violation: AffinityViolation, stack: [UInt], among sessions: [ViolationSession],
    and others: Set<TestName>
  ) {
    let checked = sessions.map(\.test)
    let unchecked = others.subtracting(checked).map { "\($0), which is not checked" }
    let names = Set(checked.map(\.description)).sorted() + unchecked.sorted()
    let reason = """
      The violation cannot be attributed to a test, because no known test started its thread. The \
      violation may belong to any of these tests:
          \(names.joined(separator: "\n    "))
        The violation satisfies no expectation. To attribute the violation, run these tests one at \
        a time: use `swift test --no-parallel`, or put the tests into one `.serialized` suite.
      """
    self.init(
      CaughtViolation(violation, stack: stack, .only), reason: reason, near: sessions)
  }

  /// True if the violation may belong to `session` or to a session inside it.
  func mayBe(of session: ViolationSession) -> Bool {
    sessions.contains { one in one.chain.contains { $0 === session } }
  }
}

extension UnattributedViolation: CustomStringConvertible {
  var description: String { "\(violation.text)\n  \(reason)" }
}

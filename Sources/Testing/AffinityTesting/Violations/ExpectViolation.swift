import Synchronization
public import ThreadAffinity

/// Runs `body` and fails the test unless `affinity` is violated meanwhile.
///
/// `function` is the function that contains the check, such as `show` or `show(_:)`; nil matches
/// any function. Other violations still fail the test if it is checked.
///
/// - Returns: The matching violations.
@discardableResult
public func expectViolation(
  of affinity: Affinity, in function: String? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () async throws -> Void
) async rethrows -> [AffinityViolation] {
  let expectation = ViolationExpectation(affinity: affinity, function: function)
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let session = ViolationSession(expecting: expectation.matches)
  try await session.run(body)
  return expectation.judge(session, at: place)
}

/// Runs `body` and fails the test unless `body`, or work that `body` has sent, violates `affinity`.
@discardableResult
public func expectViolation(
  of affinity: Affinity, in function: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () throws -> Void
) rethrows -> [AffinityViolation] {
  let expectation = ViolationExpectation(affinity: affinity, function: function)
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let session = ViolationSession(expecting: expectation.matches)
  try session.run(body)
  return expectation.judge(session, at: place)
}

/// A violation that a test expects.
private struct ViolationExpectation: Sendable {
  /// Violations that do not match. The failure message lists them, so that a misspelled function
  /// name is noticed.
  private final class Others: Sendable {
    let functions = Mutex<Set<String>>([])
    /// The first violation of another affinity.
    let first = Mutex<AffinityViolation?>(nil)
  }

  let affinity: Affinity
  let function: String?
  private let others = Others()

  init(affinity: Affinity, function: String?) {
    self.affinity = affinity
    self.function = function
  }

  @Sendable
  func matches(_ violation: AffinityViolation) -> Bool {
    guard affinity.isExpected(by: violation) else {
      others.first.withLock { if $0 == nil { $0 = violation } }
      return false
    }
    guard let function else { return true }
    if ViolationAllowance.function(function).covers(violation.site, message: violation.message) {
      return true
    }
    if let site = violation.site { others.functions.withLock { _ = $0.insert("\(site.function)") } }
    return false
  }

  func judge(_ session: ViolationSession, at place: TestPlace) -> [AffinityViolation] {
    let violations = session.violations.map(\.violation)
    if violations.isEmpty {
      let instead = others.functions.withLock { $0.sorted().joined(separator: " and ") }
      var found = instead.isEmpty ? "there was no violation" : "the violation was in \(instead)"
      if let other = others.first.withLock({ $0 }) { found += "; another violation was: \(other)" }
      place.fail("expected a violation of \(affinity.name)\(whereabouts), but \(found)")
    }
    for problem in session.problems where problem.violation == nil { place.fail(problem.text) }
    return violations
  }

  private var whereabouts: String { function.map { " in \($0)" } ?? "" }
}

extension Affinity {
  /// True if `violation` is a violation of this affinity.
  fileprivate func isExpected(by violation: AffinityViolation) -> Bool {
    let names =
      name == "main" ? ["main queue", "main actor"] : ["queue \(name)", "actor \(name)", name]
    return names.contains(violation.expected) || violation.expected.hasPrefix("\(name) (thread ")
  }
}

public import ThreadAffinity

/// Runs `body` and fails the test for each violation in its course, on whichever thread it happens.
///
/// What `body` has sent to the main queue by its end is waited for; what it sent elsewhere is yours to
/// await.
///
/// - Parameter allowances: Known debts, which fail nothing.
public func expectNoViolations(
  allowing allowances: ViolationAllowance..., isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: () async throws -> Void
) async rethrows {
  let session = ViolationSession(allowing: allowances)
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  defer { session.fail(at: place) }
  try await session.run(body)
}

/// Runs `body` and fails the test for each violation until it returns, on whichever thread it happens.
///
/// - Parameter allowances: Known debts, which fail nothing.
public func expectNoViolations(
  allowing allowances: ViolationAllowance..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () throws -> Void
) rethrows {
  let session = ViolationSession(allowing: allowances)
  let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
  defer { session.fail(at: place) }
  try session.run(body)
}

extension ViolationSession {
  /// Fails the caller's test for each violation that was caught.
  func fail(at place: TestPlace) {
    for problem in problems { place.fail(problem) }
  }
}

public import ThreadAffinity

/// Runs `body` and fails the test for each violation on any thread meanwhile.
///
/// The call waits up to 2 seconds for work that `body` has sent to the main queue or elsewhere.
///
/// Known violations, which `allowances` cover, do not fail the test.
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

/// Runs `body` and fails the test for each violation on any thread meanwhile.
///
/// The call waits for sent work as the asynchronous overload does. On the main thread, blocks that
/// other threads send to the main queue run during the wait. Inside a block of the main queue,
/// other blocks cannot run, and the test fails if sent work needs the queue; use `await` there.
///
/// Known violations, which `allowances` cover, do not fail the test.
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
  /// Fails the caller's test for each problem of the session.
  func fail(at place: TestPlace) {
    for problem in problems { place.fail(problem.text) }
  }
}

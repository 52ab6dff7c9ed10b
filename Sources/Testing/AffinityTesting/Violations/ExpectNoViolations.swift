public import ThreadAffinity

/// Runs `body` and fails the test for each violation while it runs, on any thread.
///
/// The call waits up to 2 seconds for work that `body` has sent, to the main queue or elsewhere.
///
/// Known problems, the `allowances`, do not fail the test.
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

/// Runs `body` and fails the test for each violation while it runs, on any thread.
///
/// The call waits for sent work as the asynchronous overload does. On the main thread, work that other threads
/// send to the main queue runs meanwhile. Inside work of the main queue no other work can run there, and the
/// test fails if it would have to; use `await` there.
///
/// Known problems, the `allowances`, do not fail the test.
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
    for problem in problems { place.fail(problem.text) }
  }
}

public import ThreadAffinity
public import XCTest

extension XCTestCase {
  /// Fails this test for each violation on any thread from this call to the end of the test.
  ///
  /// Call this method at the start of a test, or in `setUp` for all tests of a class. Known
  /// violations, which `allowances` cover, do not fail the test.
  public func checkAffinities(
    allowing allowances: ViolationAllowance..., file: StaticString = #filePath, line: UInt = #line
  ) {
    let session = ViolationSession(allowing: allowances, case: name)
    let place = TestPlace(fileID: file, filePath: file, line: line, column: 0)
    SessionRegistry.begin(session, isCase: true)
    addTeardownBlock { [unowned self] in
      session.settleHere()
      SessionRegistry.end(session)
      for problem in session.problems { fail(problem, at: place) }
    }
  }

  /// Reports a problem as a failure of this test, at a line of the test's code if the problem's
  /// stack contains one.
  private func fail(_ problem: TestProblem, at place: TestPlace) {
    let method = name.split { ".- []".contains($0) }.suffix(2).joined(separator: ".")
    let own = problem.violation?.frames.first { $0.function.contains("\(method)(") }
    guard let own, let file = own.file, let line = own.line else { return place.fail(problem.text) }
    #if canImport(ObjectiveC)
      place.fail(problem.text)
    #else
      recordFailure(withDescription: problem.text, inFile: file, atLine: line, expected: true)
    #endif
  }
}

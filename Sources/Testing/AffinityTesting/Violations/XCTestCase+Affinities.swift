public import ThreadAffinity
public import XCTest

extension XCTestCase {
  /// Fails this test on any violation from here to its end, on any thread.
  ///
  /// Call it at the start of one test, or in `setUp` for all tests of a class.
  /// Known problems, the `allowances`, do not fail the test.
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

  /// Fails this test with a problem, at a line of its own code if the problem's stack contains one.
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

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
    addTeardownBlock {
      SessionRegistry.end(session)
      session.fail(at: place)
    }
  }
}

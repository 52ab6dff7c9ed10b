import CRecorder
import CWalkSubjects
import XCTest

/// XCTest's own frames keep no frame pointer in most of libXCTest: walks from inside are compared.
final class WalkXCTests: XCTestCase {
  override func setUp() { ms_walk_start() }

  func testEqualsLibunwindInATest() { XCTAssertTrue(ms_compare_here("XCTest")) }

  func testEqualsLibunwindInAnAsyncTest() async {
    await Task.yield()
    XCTAssertTrue(ms_compare_here("an async XCTest"))
  }

  func testEqualsLibunwindInMeasure() {
    measure { XCTAssertTrue(ms_compare_here("measure")) }
  }
}

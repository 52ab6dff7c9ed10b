import Foundation
import ProcessTesting
import XCTest

/// A case whose tests run as often as `MAINSTAY_RUNS` says, and say how each run went.
class BankCase: XCTestCase {
  override func setUp() async throws {
    try XCTSkipUnless(isWholeRun, "long: make test-all runs it")
  }

  func check(_ bug: Bug) async throws {
    let runs = Int(ProcessInfo.processInfo.environment["MAINSTAY_RUNS"] ?? "") ?? 1
    for _ in 0..<runs {
      let before = testRun?.failureCount ?? 0
      do { try await bug.test() } catch { XCTFail("\(error)") }
      let failures = (testRun?.failureCount ?? 0) - before
      if runs > 1 { print("bank: \(name) \(failures > 0 ? "failed" : "passed")") }
    }
  }
}

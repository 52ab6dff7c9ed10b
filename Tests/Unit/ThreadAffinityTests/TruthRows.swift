import Dispatch
import Foundation
import Testing
import TruthTable
import XCTest

/// The row that a child process of `TruthTableTests` is to run; in other runs there is none.
private let row = ProcessInfo.processInfo.environment["MAINSTAY_TRUTH_ROW"].flatMap(Context.named)

/// The row ends the process; whoever started it ends one that does not.
private func sleepForEver() async throws {
  while true { try await Task.sleep(for: .seconds(3600)) }
}

/// Rows that start in XCTest.
final class TruthRowXCTests: XCTestCase {
  func testHere() {
    guard let row else { return }
    row.start()
    waitForever()
  }

  func testOnMain() {
    guard let row else { return }
    DispatchQueue.main.async { row.start() }
    waitForever()
  }

  func testAsync() async throws {
    guard let row else { return }
    row.start()
    try await sleepForEver()
  }

  @MainActor func testMainActor() async throws {
    guard let row else { return }
    row.start()
    try await sleepForEver()
  }

  /// Waits as an asynchronous test does; the row ends the process.
  private func waitForever() {
    wait(for: [expectation(description: "the row ends the process")], timeout: 3600)
  }
}

/// Rows that start in Swift Testing.
@Suite struct TruthRowTests {
  @Test func here() async throws {
    guard let row else { return }
    row.start()
    try await sleepForEver()
  }

  @Test func onMain() async throws {
    guard let row else { return }
    DispatchQueue.main.async { row.start() }
    try await sleepForEver()
  }

  @Test @MainActor func mainActor() async throws {
    guard let row else { return }
    row.start()
    try await sleepForEver()
  }
}

import AffinityTesting
import Foundation
import ProcessTesting
import Testing
import ThreadAffinity
import XCTest

/// Whether this process is a child that is to fail.
private let isBroken = ProcessInfo.processInfo.environment["MAINSTAY_BROKEN"] == "1"
private let isChild = ProcessInfo.processInfo.environment["MAINSTAY_BROKEN"] != nil

@Suite(.affinityChecked, .enabled(if: isChild))
struct CheckedFixture {
  @Test func checked() async {
    let label = PriceLabel()
    await answer {
      if isBroken { label.show(3) } else { DispatchQueue.main.async { label.show(3) } }
    }
  }

  @Test(.affinityChecked(allowing: .function("show")))
  func indebted() async {
    let label = PriceLabel()
    if isBroken { offMain { label.show(3) } }
  }
}

/// Two tests that run at the same time, of which one commits a violation no scope reaches.
@Suite(.affinityChecked, .enabled(if: isChild))
struct ParallelFixture {
  private static let meeting = Meeting()

  @Test func guilty() async {
    await Self.meeting.arrive()
    if isBroken { await answer { PriceLabel().show(3) } }
    await Self.meeting.arrive()
  }

  @Test func innocent() async {
    await Self.meeting.arrive()
    await Self.meeting.arrive()
  }
}

/// Where two tests wait for each other, again and again.
private actor Meeting {
  private var waiting: CheckedContinuation<Void, Never>?

  func arrive() async {
    if let other = waiting {
      waiting = nil
      return other.resume()
    }
    await withCheckedContinuation { waiting = $0 }
  }
}

final class CheckedCase: XCTestCase {
  func testChecked() throws {
    try XCTSkipUnless(isChild)
    checkAffinities()
    let done = expectation(description: "answered")
    DispatchQueue(label: "test.network").async {
      if isBroken {
        PriceLabel().show(3)
        done.fulfill()
      } else {
        DispatchQueue.main.async {
          PriceLabel().show(3)
          done.fulfill()
        }
      }
    }
    wait(for: [done], timeout: 60)
  }
}

/// The other helpers in XCTest, which has no trait and no task of its own kind.
final class HelpersCase: XCTestCase {
  func testStorm() async throws {
    try XCTSkipUnless(isChild)
    try await CallbackStorm(seed: 1).run { scenario in
      scenario.callback("received prices") {
        if isBroken {
          PriceLabel().show(3)
        } else {
          DispatchQueue.main.async { PriceLabel().show(3) }
        }
      }
    }
  }

  func testExpectedViolation() async throws {
    try XCTSkipUnless(isChild)
    await expectViolation(of: .main, in: "show(_:)") {
      await answer { if !isBroken { PriceLabel().show(3) } }
    }
  }

  func testLifecycle() async throws {
    try XCTSkipUnless(isChild)
    let app = LifecycleDriver()
    await app.move(.launch)
    await expectNoViolations {
      await answer { if isBroken { PriceLabel().show(3) } }
    }
    XCTAssertEqual(app.state, .active)
  }
}

/// The tests above, in children of this process: broken and fixed.
@Suite struct ReportingFromOtherThreadsTests {
  private func swiftTesting(_ filter: String, broken: Bool) throws -> ChildProcess {
    try ChildProcess.runTests(
      ["--testing-library", "swift-testing", "--filter", "AffinityTestingTests.\(filter)"],
      environment: ["MAINSTAY_BROKEN": broken ? "1" : "0"])
  }

  @Test func theTraitFailsTheTestOnAViolationOfAnotherThread() throws {
    let child = try swiftTesting("CheckedFixture", broken: true)
    #expect(child.status == 1)
    #expect(child.everything.contains("affinity violation: price label"))
    #expect(child.everything.contains("PriceLabel.show(_:)  Prices.swift:"))
    #expect(child.everything.contains("checked() failed"))
    #expect(child.everything.contains("indebted() passed"))
  }

  @Test func theTraitPassesTheFix() throws {
    let child = try swiftTesting("CheckedFixture", broken: false)
    #expect(child.status == 0 && child.everything.contains("2 tests in 1 suite passed"))
  }

  @Test func whatCannotBeAttributedFailsEveryCheckedTestAndSaysSo() throws {
    let child = try swiftTesting("ParallelFixture", broken: true)
    #expect(
      child.everything.contains("guilty() failed") && child.everything.contains("innocent() failed")
    )
    #expect(child.everything.contains("cannot be attributed: all 2 tests"))
    #expect(try swiftTesting("ParallelFixture", broken: false).status == 0)
  }

  @Test(arguments: [
    ("testStorm", "seed 1 found a bug within 200 deliveries; 1 delivery is enough:"),
    ("testExpectedViolation", "expected a violation of main in show(_:), but there was none"),
    ("testLifecycle", "affinity violation: price label"),
  ])
  func theOtherHelpersFailAnXCTestCaseToo(test: String, text: String) throws {
    for broken in [true, false] {
      let child = try ChildProcess.runTests(
        ["AffinityTestingTests.HelpersCase/\(test)"],
        environment: ["MAINSTAY_BROKEN": broken ? "1" : "0"])
      #expect((child.status != 0) == broken, "\(child.everything)")
      #expect(child.everything.contains(text) == broken, "\(child.everything)")
    }
  }

  @Test(arguments: [true, false])
  func anXCTestCaseFailsOnAViolationOfAnotherThread(broken: Bool) throws {
    let child = try ChildProcess.runTests(
      ["AffinityTestingTests.CheckedCase/testChecked"],
      environment: ["MAINSTAY_BROKEN": broken ? "1" : "0"])
    #expect((child.status != 0) == broken)
    #expect(child.everything.contains("affinity violation: price label") == broken)
  }
}

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

/// Two checked tests that run at the same time, of which one commits a violation on a way that we see.
@Suite(.affinityChecked, .enabled(if: isChild))
struct ParallelFixture {
  private static let meeting = Meeting()

  @Test func guilty() async {
    await Self.meeting.arrive()
    for way in Way.allCases where isBroken { await way.show() }
    await Self.meeting.arrive()
  }

  @Test func innocent() async {
    await Self.meeting.arrive()
    await Self.meeting.arrive()
  }
}

/// A way of work that a test takes, to a violation.
enum Way: CaseIterable, Sendable {
  case queue, group, item, later, timer, thread, detached, hop

  func show() async {
    let label = PriceLabel()
    let queue = DispatchQueue(label: "test.network")
    let hop = QueueHop(label, to: queue, "prices")
    await withCheckedContinuation { continuation in
      let work: @Sendable () -> Void = {
        label.show(3)
        continuation.resume()
      }
      switch self {
      case .queue: queue.async(execute: work)
      case .group: queue.async(group: DispatchGroup(), qos: .utility, execute: work)
      case .item: queue.async(execute: DispatchWorkItem(block: work))
      case .later: queue.asyncAfter(deadline: .now() + .milliseconds(1), execute: work)
      case .timer:
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now())
        timer.setEventHandler {
          timer.cancel()
          work()
        }
        timer.activate()
      case .thread: Thread(block: work).start()
      case .detached:
        Task.detached {
          await Task.yield()
          try? await Task.sleep(for: .milliseconds(1))
          work()
        }
      case .hop: hop.send { _ in work() }
      }
    }
  }
}

/// Three tests that run at the same time; what one commits comes from a thread that nobody has started, and
/// one is not checked.
@Suite(.enabled(if: isChild))
struct UnknownFixture {
  private static let meeting = Meeting()

  @Test func expecting() async {
    await expectViolation(of: .main) {
      await Self.meeting.arrive()
      await Self.meeting.arrive()
    }
  }

  @Test(.affinityChecked) func checked() async {
    await Self.meeting.arrive()
    if isBroken { await inAnOperation { PriceLabel().show(3) } }
    await Self.meeting.arrive()
  }
}

/// A checked test, and one that is not, whose operation commits a violation.
@Suite(.enabled(if: isChild))
struct UncheckedFixture {
  private static let meeting = Meeting()

  @Test(.affinityChecked) func checked() async {
    await Self.meeting.arrive()
    await Self.meeting.arrive()
  }

  @Test func unchecked() async {
    await Self.meeting.arrive()
    await answer { PriceLabel().show(3) }
    if isBroken { await inAnOperation { PriceLabel().show(3) } }
    await Self.meeting.arrive()
  }
}

/// A test that expects what another one does, which runs at the same time.
@Suite(.enabled(if: isChild))
struct BorrowedFixture {
  private static let meeting = Meeting()

  @Test func fixed() async {
    await expectViolation(of: .main) {
      await Self.meeting.arrive()
      await Self.meeting.arrive()
    }
  }

  @Test func broken() async {
    await Self.meeting.arrive()
    await expectViolation(of: .main) { await answer { PriceLabel().show(3) } }
    await Self.meeting.arrive()
  }
}

/// A test whose work goes on when its own code is over.
@Suite(.affinityChecked, .enabled(if: isChild))
struct UnawaitedFixture {
  @Test func unawaited() {
    DispatchQueue(label: "test.network").async {
      usleep(50_000)
      if isBroken { PriceLabel().show(3) }
    }
  }
}

/// Runs `body` in an operation, which nobody can tell the sender of.
private func inAnOperation(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    OperationQueue().addOperation {
      body()
      continuation.resume()
    }
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
    try await app.move(.launch)
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

  @Test func aViolationBelongsToTheTestThatSentTheWork() throws {
    let child = try swiftTesting("ParallelFixture", broken: true)
    #expect(child.everything.contains("guilty() failed"), "\(child.everything)")
    #expect(child.everything.contains("innocent() passed"))
    #expect(
      child.everything.components(separatedBy: "affinity violation:").count - 1
        == Way.allCases.count)
    #expect(try swiftTesting("ParallelFixture", broken: false).status == 0)
  }

  @Test func whatCannotBeAttributedSatisfiesNobodyAndIsReportedOnce() throws {
    let child = try swiftTesting("UnknownFixture", broken: true)
    #expect(
      child.everything.contains("expecting() failed")
        && child.everything.contains("but there was none"), "\(child.everything)")
    #expect(child.everything.components(separatedBy: "cannot be attributed").count == 2)
    #expect(child.everything.contains("“expecting()” (AffinityTestingTests/"))
    #expect(child.everything.contains("“checked()” (AffinityTestingTests/"))
    #expect(child.everything.contains("swift test --no-parallel"))
  }

  @Test func whatAnUncheckedTestDoesFailsNobodyElse() throws {
    #expect(try swiftTesting("UncheckedFixture", broken: false).status == 0)
    let child = try swiftTesting("UncheckedFixture", broken: true)
    #expect(child.everything.contains("checked() failed"), "\(child.everything)")
    #expect(child.everything.contains("“unchecked()” (AffinityTestingTests/"))
    #expect(child.everything.contains("which is not checked"))
  }

  @Test func anExpectationIsNotSatisfiedByAnotherTest() throws {
    for broken in [true, false] {
      let child = try swiftTesting("BorrowedFixture", broken: broken)
      #expect(child.everything.contains("fixed() failed"), "\(child.everything)")
      #expect(child.everything.contains("broken() passed"))
    }
  }

  @Test func whatATestHasSentIsWaitedFor() throws {
    #expect(try swiftTesting("UnawaitedFixture", broken: true).status == 1)
    #expect(try swiftTesting("UnawaitedFixture", broken: false).status == 0)
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

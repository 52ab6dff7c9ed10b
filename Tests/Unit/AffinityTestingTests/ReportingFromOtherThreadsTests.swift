import AffinityTesting
import Foundation
import ProcessTesting
import Synchronization
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

/// Ways of a test without an `await` to send what goes wrong when its own code is over.
enum UnawaitedWay: String, CaseIterable, Sendable {
  case queue, task, hop, main, chain

  func send() {
    let label = PriceLabel()
    let queue = DispatchQueue(label: "test.network")
    let show: @Sendable () -> Void = {
      usleep(50_000)
      if isBroken { label.show(3) }
    }
    switch self {
    case .queue: queue.async(execute: show)
    case .task: Task.detached { show() }
    case .hop:
      let hop = QueueHop(label, to: queue, "prices")
      hop.send { _ in show() }
    case .main: DispatchQueue.main.async { queue.async(execute: show) }
    case .chain: queue.async { DispatchQueue.main.async { queue.async(execute: show) } }
    }
  }
}

/// The same in Swift Testing, on a thread that is not the main one and on the main one.
@Suite(.serialized, .enabled(if: isChild))
struct UnawaitedHereFixture {
  @Test(arguments: UnawaitedWay.allCases)
  func checked(_ way: UnawaitedWay) { expectNoViolations { way.send() } }

  @Test(arguments: UnawaitedWay.allCases)
  func expected(_ way: UnawaitedWay) { expectViolation(of: .main) { way.send() } }

  @Test @MainActor func onMain() {
    expectNoViolations { UnawaitedWay.queue.send() }
  }
}

/// A test on the main queue that never lets what it has sent there run.
@Suite(.enabled(if: isChild))
struct MainHeldFixture {
  @Test @MainActor func held() { expectNoViolations { UnawaitedWay.main.send() } }
}

/// The same in XCTest, which runs tests on the main thread.
final class UnawaitedCase: XCTestCase {
  func testSetUp() throws {
    try XCTSkipUnless(isChild)
    for way in UnawaitedWay.allCases {
      checkAffinities()
      way.send()
    }
  }

  func testHere() throws {
    try XCTSkipUnless(isChild)
    for way in UnawaitedWay.allCases { expectNoViolations { way.send() } }
  }

  func testExpected() throws {
    try XCTSkipUnless(isChild)
    for way in UnawaitedWay.allCases { expectViolation(of: .main) { way.send() } }
  }
}

/// Something that calls back through a hop to a delegate that it holds weakly.
private final class PriceSource: Sendable {
  private let hop: MainHop<PriceLabel>
  init(delegate: PriceLabel) { hop = MainHop(delegate, "prices", delivery: .inline) }
  func call() { hop.send { $0.show(3) } }
}

/// Tests whose delegate is gone before any call, or after one.
@Suite(.enabled(if: isChild))
struct LostTargetFixture {
  @Test(.affinityChecked) func checked() async {
    let kept = PriceLabel()
    let source = PriceSource(delegate: isBroken ? PriceLabel() : kept)
    await onMain { source.call() }
    withExtendedLifetime(kept) {}
  }

  @Test func inAStorm() async throws {
    try await CallbackStorm(seed: 1, deliveries: 20).run { scenario in
      let label = PriceLabel()
      if !isBroken { scenario.keep(label) }
      let source = PriceSource(delegate: label)
      scenario.callback("prices") { DispatchQueue.main.async { source.call() } }
    }
  }

  @Test func letGoInTime() async throws {
    try await CallbackStorm(seed: 1, deliveries: 20).run { scenario in
      let label = Mutex<PriceLabel?>(PriceLabel())
      let source = PriceSource(delegate: label.withLock { $0! })
      scenario.callback("prices") { DispatchQueue.main.async { source.call() } }
      scenario.onCancel { label.withLock { $0 = nil } }
    }
  }

  @Test(.affinityChecked) func anotherIsCalled() async {
    let kept = PriceLabel()
    let lost = PriceSource(delegate: PriceLabel())
    let source = PriceSource(delegate: kept)
    await onMain {
      lost.call()
      source.call()
    }
    withExtendedLifetime(kept) {}
  }

  @Test(.affinityChecked) func goneAfterACall() async {
    var label: PriceLabel? = PriceLabel()
    let source = PriceSource(delegate: label!)
    await onMain { source.call() }
    label = nil
    _ = label
    await onMain { source.call() }
  }

  @Test(.affinityChecked(allowing: .message("made no call"))) func onPurpose() async {
    let source = PriceSource(delegate: PriceLabel())
    await onMain { source.call() }
  }

  @Test(.affinityChecked) func anActor() async {
    let kept = Tally()
    let hop = ActorHop(isBroken ? Tally() : kept, "tally")
    hop.send { $0.add() }
    while await kept.count == 0, !isBroken { await Task.yield() }
  }
}

private actor Tally {
  private(set) var count = 0
  func add() { count += 1 }
}

/// One check that fails three times.
@Suite(.affinityChecked, .enabled(if: isChild))
struct RepeatedFixture {
  @Test func repeated() async {
    let label = PriceLabel()
    for _ in 1...3 { await answer { label.show(3) } }
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

/// A case that is checked by its set-up.
final class SetUpCase: XCTestCase {
  override func setUp() { if isChild { checkAffinities() } }

  func testShows() throws {
    try XCTSkipUnless(isChild)
    let label = PriceLabel()
    DispatchQueue(label: "test.network").async { label.show(3) }  // the line that fails
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
    #expect(child.status == 0 && child.everything.contains(/2 tests (in 1 suite )?passed/))
  }

  @Test func aViolationBelongsToTheTestThatSentTheWork() throws {
    let child = try swiftTesting("ParallelFixture", broken: true)
    #expect(child.everything.contains("guilty() failed"), "\(child.everything)")
    #expect(child.everything.contains("innocent() passed"))
    #expect(
      child.everything.contains("this happened \(Way.allCases.count) times in this test"))
    #expect(try swiftTesting("ParallelFixture", broken: false).status == 0)
  }

  @Test func whatCannotBeAttributedSatisfiesNobodyAndIsReportedOnce() throws {
    let child = try swiftTesting("UnknownFixture", broken: true)
    #expect(
      child.everything.contains("expecting() failed")
        && child.everything.contains("but there was no violation"), "\(child.everything)")
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

  @Test(arguments: [true, false])
  func whatATestWithoutAnAwaitHasSentIsWaitedForToo(broken: Bool) throws {
    let child = try swiftTesting("UnawaitedHereFixture", broken: broken)
    for way in UnawaitedWay.allCases {
      for (test, fails) in [("checked", broken), ("expected", !broken)] {
        let line = child.everything.split(separator: "\n").contains {
          $0.contains("\(test)(_:) recorded an issue with 1 argument way → .\(way)")
        }
        #expect(line == fails, "\(test) \(way): \(child.everything)")
      }
    }
    #expect(child.everything.contains("onMain() failed") == broken, "\(child.everything)")
  }

  @Test(.long, arguments: [true, false])
  func whatCannotRunBeforeATestEndsFailsIt(broken: Bool) throws {
    let child = try swiftTesting("MainHeldFixture", broken: broken)
    #expect(
      child.everything.contains("this test blocks the main queue"), "\(child.everything)")
  }

  @Test(.long, arguments: ["testSetUp", "testHere", "testExpected"], [true, false])
  func whatAnXCTestCaseHasSentIsWaitedForToo(test: String, broken: Bool) throws {
    let child = try ChildProcess.runTests(
      ["AffinityTestingTests.UnawaitedCase/\(test)"],
      environment: ["MAINSTAY_BROKEN": broken ? "1" : "0"])
    let word =
      test == "testExpected" ? "but there was no violation" : "affinity violation: price label"
    let fails = test == "testExpected" ? !broken : broken
    // Once for each check, and in `testSetUp` once for each session, which the innermost takes.
    let failures = child.everything.components(separatedBy: word).count - 1
    let most = test == "testSetUp" ? 1...5 : 5...5
    #expect(fails ? most.contains(failures) : failures == 0, "\(child.everything)")
    #expect((child.status != 0) == fails)
  }

  @Test(.long, arguments: [true, false])
  func aDelegateThatWasGoneBeforeAnyCallFailsTheTestWhichNamesIt(broken: Bool) throws {
    let child = try swiftTesting("LostTargetFixture", broken: broken)
    for test in ["checked", "inAStorm", "anActor"] {
      #expect(child.everything.contains("\(test)() failed") == broken, "\(child.everything)")
    }
    for test in ["letGoInTime", "anotherIsCalled", "goneAfterACall", "onPurpose"] {
      #expect(child.everything.contains("\(test)() passed"), "\(child.everything)")
    }
    #expect(
      child.everything.contains(
        "“prices” made no call, because its PriceLabel was deallocated; keep the target alive until all calls have arrived\n"
      ) == broken)
  }

  @Test func aCheckThatFailsThreeTimesIsReportedOnceWithWhoSentIt() throws {
    let child = try swiftTesting("RepeatedFixture", broken: true)
    let text = child.everything
    #expect(text.components(separatedBy: "affinity violation:").count == 2, "\(text)")
    #expect(text.contains("this happened 3 times in this test"))
    #expect(text.contains("sent from:"))
    #expect(text.contains("RepeatedFixture.repeated()  ReportingFromOtherThreadsTests.swift:"))
    #expect(!text.contains("ms_") && !text.contains("carried_blocks.c"))
  }

  @Test func anXCTestCaseFailsAtItsOwnCodeAndNotWhereItIsSetUp() throws {
    let child = try ChildProcess.runTests(
      ["AffinityTestingTests.SetUpCase/testShows"], environment: ["MAINSTAY_BROKEN": "1"])
    let lines = try String(contentsOfFile: #filePath, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let line = 1 + (try #require(lines.firstIndex { $0.hasSuffix("// the line that fails") }))
    #expect(
      child.everything.contains("ReportingFromOtherThreadsTests.swift:\(line): error:"),
      "\(child.everything)")
  }

  @Test(
    .long,
    arguments: [
      ("testStorm", "seed 1 found a bug within 200 deliveries; 1 delivery is enough:"),
      (
        "testExpectedViolation",
        "expected a violation of main in show(_:), but there was no violation"
      ),
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

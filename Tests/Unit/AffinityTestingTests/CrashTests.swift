import AffinityTesting
import CrashTesting
import Dispatch
import Foundation
import ProcessTesting
import Synchronization
import Testing
import ThreadAffinity
import XCTest

/// A board that asks for its queue before it works.
private final class Board: Sendable {
  @inline(never)
  func received(_ prices: [Int]) {
    dispatchPrecondition(condition: .onQueue(.main))
    keepFrame()
  }

  /// Traps at the second answer in the background, wherever it comes.
  private let inBackground = Mutex(false)
  private let answers = Mutex(0)

  func enterBackground() { inBackground.withLock { $0 = true } }

  @inline(never)
  func count() {
    guard inBackground.withLock({ $0 }) else { return }
    let answers = answers.withLock {
      $0 += 1
      return $0
    }
    precondition(answers < 2, "laid out twice in the background")
    keepFrame()
  }
}

/// Shows what it is answered, on whichever queue that is, or hops first.
private final class Feed: Sendable {
  private let board = Board()
  private let hops: Bool

  init(hops: Bool) { self.hops = hops }

  @inline(never)
  func refresh() {
    load { prices in
      if self.hops {
        DispatchQueue.main.async { self.board.received(prices) }
      } else {
        self.board.received(prices)
      }
      keepFrame()
    }
  }
}

@inline(never)
@_optimize(none)
private func keepFrame() {}

private func load(_ completion: @escaping @Sendable ([Int]) -> Void) {
  DispatchQueue(label: "test.network").async {
    completion([1])
    keepFrame()
  }
}

@Suite(.serialized)
struct CrashTests {
  @Test func aTrapOnAnotherQueueIsExpectedByItsCulprit() async {
    await expectCrash(.isolationTrap, culprit: "Feed.refresh") {
      Feed(hops: false).refresh()
    }
  }

  @Test func theFixIsNoCrash() async {
    await withKnownIssue {
      await expectCrash(.isolationTrap, within: .milliseconds(200)) {
        Feed(hops: true).refresh()
      }
    } matching: { issue in
      issue.comments.first?.rawValue
        == "expected isolation-trap, but the child process did not crash"
    }
  }

  @Test func anotherCulpritFailsAndShowsTheReport() async {
    await withKnownIssue {
      await expectCrash(.isolationTrap, culprit: "Innocent") {
        Feed(hops: false).refresh()
      }
    } matching: { issue in
      let text = issue.comments.first?.rawValue ?? ""
      return text.contains("expected isolation-trap by Innocent, but the culprit is")
        && text.contains("open first") && text.contains("fix") && !text.contains("crashscan repro")
    }
  }

  @Test func anotherCrashFailsAndShowsTheReport() async {
    await withKnownIssue {
      await expectCrash(.isolationTrap) { fatalError("out of prices") }
    } matching: { issue in
      let text = issue.comments.first?.rawValue ?? ""
      return text.contains("but this finding was not reported") && text.contains("out of prices")
    }
  }

  @Test func aStormFindsABugThatTrapsAndShrinksIt() async throws {
    let bug = try #require(
      try await CallbackStorm(seed: 3).findBug(inChildren: true) { scenario in
        let board = Board()
        scenario.lifecycle.onEvent { if $0 == .didEnterBackground { board.enterBackground() } }
        scenario.callback("counted") { board.count() }
      })
    #expect(bug.schedule.deliveries <= 2 && bug.schedule.steps.count <= 3)
    #expect("\(bug.schedule)".hasPrefix("background; "))
    #expect(bug.reason.contains("laid out twice in the background"))
  }

  @Test func theReportOfAStormsCrashNamesTheViolationBeforeIt() async throws {
    let bug = try #require(
      try await CallbackStorm(replaying: "on queue: refreshed").findBug(inChildren: true) {
        scenario in
        scenario.callback("refreshed") {
          expectMainQueue("rows change")
          fatalError("rows changed")
        }
      })
    #expect(bug.reason.contains("“rows change” was recorded off the main queue"))
  }

  @Test func aStormInChildrenRefusesWhatTheyDoNotHave() async {
    let board = Board()
    await #expect(throws: StormError.self) {
      try await CallbackStorm(seed: 3).findBug(inChildren: true) { scenario in
        scenario.callback("counted") { board.count() }
      }
    }
  }

  @Test func aChildCallsNothingWhereItsProgramIsAnotherOne() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("mainstay-other-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for task in [#"{"describe":{}}"#, #"{"run":{"isAsync":false,"waiting":1}}"#] {
      let code = #"{"module":"\#(program)","identity":[1],"offset":4096,"beginning":0}"#
      let order = #"{"task":\#(task),"code":\#(code),"directory":"\#(directory)"}"#
      let child = try ChildProcess.runTests([], environment: ["MAINSTAY_TEST_CHILD": order])
      #expect(child.signal == 0 && child.status == 70)
      #expect(
        child.errors.contains(
          "the address of the body closure is no longer valid; run the tests again"))
    }
  }
}

final class CrashCase: XCTestCase {
  func testACrashIsExpectedInXCTestToo() async {
    await expectCrash(.isolationTrap, culprit: "Feed.refresh") {
      Feed(hops: false).refresh()
    }
  }
}

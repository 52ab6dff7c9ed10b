import AffinityTesting
import Breadcrumbs
import Dispatch
import Foundation
import ProcessTesting
import Synchronization
import Testing
import ThreadAffinity

/// A screen with bugs of its own, each of which needs something else to show.
private final class PriceScreen: Sendable {
  enum Bug: CaseIterable {
    case offMain, afterCancel, inBackground, overtaken, race
  }

  private let bug: Bug?
  private let shown = Mutex(0)
  private let isClosed = Mutex(false)
  private let isInBackground = Mutex(false)
  private let answers = Mutex(0)
  private let unguarded = Atomic<Int>(0)
  private let meeting = Mutex(0)
  private let another = DispatchSemaphore(value: 0)
  let hasLaidOutInBackground = Mutex(false)

  init(_ bug: Bug?) { self.bug = bug }

  func follow(_ driver: LifecycleDriver) {
    driver.onEvent { event in
      if event == .didEnterBackground { self.isInBackground.withLock { $0 = true } }
      if event == .willEnterForeground { self.isInBackground.withLock { $0 = false } }
    }
  }

  func close() { isClosed.withLock { $0 = true } }

  /// Called back anywhere.
  func received() {
    let number = answers.withLock {
      $0 += 1
      return $0
    }
    switch bug {
    case .offMain: show(number)
    case .overtaken where MainQueue.isCurrent: show(number)
    case .race:
      let before = unguarded.load(ordering: .relaxed)
      meetAnother()
      unguarded.store(before + 1, ordering: .relaxed)
      fallthrough
    default: DispatchQueue.main.async { self.show(number) }
    }
  }

  /// Waits a moment for another answer that comes in meanwhile: the race then shows on any machine.
  private func meetAnother() {
    let isAlone = meeting.withLock { count in
      count += 1
      return count == 1
    }
    if isAlone { _ = another.wait(timeout: .now() + .milliseconds(5)) } else { another.signal() }
    meeting.withLock { $0 -= 1 }
  }

  private func show(_ number: Int) {
    expectMainQueue("prices")
    if isClosed.withLock({ $0 }), bug != .afterCancel { return }
    if isInBackground.withLock({ $0 }) {
      guard bug == .inBackground else { return }
      hasLaidOutInBackground.withLock { $0 = true }
    }
    shown.withLock { $0 = bug == .overtaken ? number : max($0, number) }
  }

  var isClosedAndShows: Bool {
    isClosed.withLock { $0 } && shown.withLock { $0 } > 0 && bug == .afterCancel
  }
  var showsTheNewest: Bool { bug != .overtaken || shown.withLock { $0 } == answers.withLock { $0 } }
  var countsAll: Bool {
    bug != .race || unguarded.load(ordering: .relaxed) == answers.withLock { $0 }
  }
}

@MainActor private final class Inbox {
  private let isRight: Bool
  private var isOpen = true
  private var unread = 0

  init(isRight: Bool) { self.isRight = isRight }

  func received() { if isOpen || !isRight { unread += 1 } }
  func open() { unread = 0 }
  func close() { (isOpen, unread) = (false, 0) }
  var isEmptyWhenClosed: Bool { isOpen || unread == 0 }
}

extension InTurn {
  @Suite struct StormTests {
    private static func body(_ bug: PriceScreen.Bug?) -> CallbackStorm.Body {
      { scenario in
        let screen = PriceScreen(bug)
        screen.follow(scenario.lifecycle)
        scenario.callback("received prices") { screen.received() }
        scenario.callback("failed") {}
        scenario.onCancel { screen.close() }
        scenario.check("a closed screen shows nothing") { !screen.isClosedAndShows }
        scenario.check("no layout in the background") {
          !screen.hasLaidOutInBackground.withLock { $0 }
        }
        scenario.check("shows the newest") { screen.showsTheNewest }
        scenario.check("counts all answers") { screen.countsAll }
      }
    }

    private static let bugs = [
      (PriceScreen.Bug.offMain, 1), (.race, 1), (.overtaken, 2), (.afterCancel, 1),
      (.inBackground, 1),
    ]

    @Test(arguments: isWholeRun ? bugs : Array(bugs.prefix(2)))
    fileprivate func everyBugIsFoundAndShrunk(_ bug: PriceScreen.Bug, _ deliveries: Int)
      async throws
    {
      let found = try #require(try await CallbackStorm(seed: 42).findBug(against: Self.body(bug)))
      #expect(found.schedule.deliveries <= deliveries)
      #expect(found.failures > 0)
    }

    @Test(.long) func aRaceIsReplayedAndItsRateTold() async throws {
      let storm = CallbackStorm(replaying: "on queue, concurrently: received prices")
      let bug = try #require(try await storm.findBug(against: Self.body(.race)))
      #expect(bug.runs == 100 && bug.failures > 0)
      #expect("\(bug)".contains("of 100 runs"))
    }

    @Test(arguments: isWholeRun ? [1, 2, 3] : [1] as [UInt64])
    func theFixPasses(seed: UInt64) async throws {
      try await CallbackStorm(seed: seed).run(against: Self.body(nil))
    }

    @Test func theSameSeedFindsTheSameBugInTheSameDeliveries() async throws {
      let storm = CallbackStorm(seed: 9)
      let first = try await storm.findBug(against: Self.body(.overtaken))
      let second = try await storm.findBug(against: Self.body(.overtaken))
      #expect(first != nil && first?.schedule == second?.schedule)
    }

    @Test func whatAFailurePrintsIsReplayed() async throws {
      let found = try #require(
        try await CallbackStorm(seed: 42).findBug(against: Self.body(.inBackground)))
      let storm = CallbackStorm(replaying: "\(found.schedule)")
      #expect(
        try await storm.findBug(against: Self.body(.inBackground))?.schedule == found.schedule)
      #expect(try await storm.findBug(against: Self.body(nil)) == nil)
    }

    @Test func aFailedStormPrintsItsSeedAndSteps() async throws {
      try await withKnownIssue {
        try await CallbackStorm(seed: 42).run(against: Self.body(.offMain))
      } matching: { issue in
        let text = issue.comments.map(\.rawValue).joined()
        return text.contains("seed 42 found a bug within 200 deliveries; 1 delivery is enough:")
          && text.contains("CallbackStorm(replaying: \"on ") && text.contains("PriceScreen.show")
      }
    }

    @Test func stepsAreCountedWhereNotAllDeliver() async throws {
      let bug = try #require(
        try await CallbackStorm(seed: 42).findBug(against: Self.body(.inBackground)))
      #expect(bug.schedule.deliveries == 1 && bug.schedule.steps.count == 2)
      #expect("\(bug)".contains("within 200 deliveries; 2 steps are enough:"), "\(bug)")
    }

    @Test func whatBelongsToTheMainActorIsCalledThere() async throws {
      for isRight in [true, false] {
        let bug = try await CallbackStorm(seed: 3).findBug { @MainActor scenario in
          let inbox = Inbox(isRight: isRight)
          scenario.callback("received") { @MainActor in inbox.received() }
          scenario.onCancel { inbox.close() }
          scenario.action("open") { inbox.open() }
          scenario.check("a closed one receives nothing") { inbox.isEmptyWhenClosed }
        }
        #expect((bug == nil) == isRight, "\(bug.map { "\($0)" } ?? "")")
      }
    }

    @Test func everyScheduleIsReadBackAsItWasWritten() throws {
      let text =
        "background; expiration; on queue.sync on main, twice, after 5 ms, main busy: a, b: c; "
        + "on thread, concurrently: d; cancel; foreground"
      #expect("\(try StormSchedule(parsing: text))" == text)
      for broken in ["on moon: a", "on main", "cancel: a", "on main, thrice: a", "sleep"] {
        #expect(throws: StormScheduleError.self) { try StormSchedule(parsing: broken) }
      }
    }

    /// A failure while the main queue is kept busy once kept it for good.
    @Test(.long, arguments: PriceScreen.Bug.allCases)
    fileprivate func everyStormGivesTheMainQueueBack(_ bug: PriceScreen.Bug) async throws {
      for seed in 1...8 as ClosedRange<UInt64> {
        _ = try await CallbackStorm(seed: seed).findBug(against: Self.body(bug))
        await onMain {}
      }
    }
  }
}

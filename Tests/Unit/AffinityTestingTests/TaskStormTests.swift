import AffinityTesting
import Dispatch
import Foundation
import ProcessTesting
import Synchronization
import Testing
import ThreadAffinity

/// Whether this process is a child that is to die in a storm of tasks.
private let dies = getenv("MAINSTAY_DIES_OF_TASKS") != nil

/// An account that asks another actor between reading its balance and writing it.
private actor Account {
  private(set) var balance = 100
  private let rates = Rates()
  private let isRight: Bool

  init(isRight: Bool) { self.isRight = isRight }

  func add(_ amount: Int) async {
    let before = balance
    let fee = await rates.fee
    balance = (isRight ? balance : before) + amount - fee
  }
}

private func offerUpdates(to scenario: TaskScenario, isRight: Bool) {
  let account = Account(isRight: isRight)
  scenario.task("add") { await account.add(10) }
  scenario.task("add") { await account.add(20) }
  scenario.check("nothing is lost") { await account.balance == 130 }
}

/// Looks before it waits whether it was sold.
private actor Ticket {
  private var isSold = false
  private let rates = Rates()

  func sell() async {
    if isSold { return }
    _ = await rates.fee
    precondition(!isSold, "sold twice")
    isSold = true
  }
}

private func offerTicket(to scenario: TaskScenario) {
  let ticket = Ticket()
  scenario.task("Ada") { await ticket.sell() }
  scenario.task("Grace") { await ticket.sell() }
}

private actor Rates {
  var fee: Int { 0 }
}

/// A continuation that somebody has, and resumes.
private actor Mailbox {
  private var waiting: CheckedContinuation<Int, Never>?
  private var letter: Int?

  func wait() async -> Int {
    if let letter { return letter }
    return await withCheckedContinuation { waiting = $0 }
  }

  func put(_ number: Int) {
    letter = number
    waiting?.resume(returning: number)
    waiting = nil
  }

  /// Forgets what is put before somebody waits.
  func putCarelessly(_ number: Int) {
    waiting?.resume(returning: number)
    waiting = nil
  }
}

/// Waits for an answer; where it is cancelled it gives one, or forgets who waits.
private actor Inbox {
  private var waiting: CheckedContinuation<Bool, Never>?
  private var early: Bool?
  private let forgets: Bool

  init(forgets: Bool) { self.forgets = forgets }

  func wait() async -> Bool {
    if let early { return early }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiting = $0 }
    } onCancel: {
      Task { await self.cancel() }
    }
  }

  func answer(_ value: Bool) {
    early = value
    waiting?.resume(returning: value)
    waiting = nil
  }

  private func cancel() {
    if forgets { waiting = nil } else { answer(false) }
  }
}

/// Dies where a continuation is resumed twice, in the process of the tests.
@Suite(.enabled(if: dies)) struct DyingOfTasksFixture {
  @Test func endsTheProcess() async throws {
    try await TaskStorm(seed: 3).run { scenario in
      scenario.task("ask") {
        _ = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
          Task { continuation.resume(returning: 1) }
          Task { continuation.resume(returning: 2) }
        }
      }
    }
  }
}

extension InTurn {
  @Suite struct TaskStormTests {
    @Test func anUpdateThatIsLostAcrossAnAwaitIsFoundByOneChangeOfTheOrder() async throws {
      let bug = try #require(try await lostUpdate(TaskStorm(seed: 7), isRight: false))
      #expect(bug.schedule.changes == 1)
      #expect(
        bug.reason.hasPrefix(
          "“nothing is lost” does not hold\n  checked at AffinityTestingTests/TaskStormTests.swift:"
        ))
      #expect(
        "\(bug)".hasPrefix("seed 7 found a bug within 200 runs; 1 change of the order is enough:"))
      #expect("\(bug)".contains("to replay this failure: TaskStorm(replaying: \"turn "))
    }

    @Test func whatDoesNotLoseItPasses() async throws {
      for seed in UInt64(1)...5 {
        let bug = try await lostUpdate(TaskStorm(seed: seed), isRight: true)
        #expect(bug == nil, "\(bug.map { "\($0)" } ?? "")")
      }
    }

    @Test func theSameSeedFindsTheSameOrderAndEachSeedFindsOne() async throws {
      for seed in UInt64(1)...10 {
        let first = try #require(try await lostUpdate(TaskStorm(seed: seed), isRight: false))
        let second = try #require(try await lostUpdate(TaskStorm(seed: seed), isRight: false))
        #expect("\(first)" == "\(second)")
      }
    }

    @Test func aPrintedOrderFailsAgainAndPassesWithTheFix() async throws {
      let bug = try #require(try await lostUpdate(TaskStorm(seed: 2), isRight: false))
      let storm = TaskStorm(replaying: "\(bug.schedule)")
      let again = try #require(try await lostUpdate(storm, isRight: false))
      #expect(again.schedule == bug.schedule && again.reason == bug.reason)
      #expect(try await lostUpdate(storm, isRight: true) == nil)
    }

    @Test func anOrderThatChangesNothingIsRefused() async throws {
      for text in [
        "turn 999: add", "turn 1: nobody", "turn 2: cancel nobody", "whatever", "turn 0: add",
      ] {
        await #expect(throws: StormScheduleError.self, "\(text)") {
          _ = try await lostUpdate(TaskStorm(replaying: text), isRight: true)
        }
      }
      await #expect(throws: StormError.self) { try await TaskStorm(seed: 1).run { _ in } }
    }

    @Test func tasksThatLetOthersGoFirstGoOnInTurn() async throws {
      for _ in 0..<20 {
        let bug = try #require(
          try await TaskStorm(replaying: "in order").findBug { scenario in
            for name in ["a", "b"] {
              scenario.task(name) { for _ in 0..<3 { await Task.yield() } }
            }
            scenario.check("never") { false }
          })
        let turns = "\(bug)".split(separator: "\n").compactMap { line in
          ["a", "b"].first { line.hasSuffix(". \($0)") }
        }
        #expect(turns == ["a", "b", "a", "b", "a", "b", "a", "b"], "\(bug)")
      }
    }

    @Test func whoAsksAgainAndAgainDoesNotKeepBackWhatItAsksFor() async throws {
      let bug = try await TaskStorm(seed: 1).findBug { scenario in
        let flag = Flag()
        scenario.task("poll", mayBeCancelled: false) {
          while await !flag.isUp { await Task.yield() }
        }
        scenario.task("set", mayBeCancelled: false) { await flag.raise() }
      }
      #expect(bug == nil, "\(bug.map { "\($0)" } ?? "")")
    }

    @Test(.long) func aTimerIsWaitedForBeyondThePatience() async throws {
      let bug = try await TaskStorm(replaying: "in order", patience: .milliseconds(100)).findBug {
        scenario in
        scenario.task("sleep") { try await Task.sleep(for: .milliseconds(600)) }
        scenario.task("later") {
          await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) { continuation.resume() }
          }
        }
      }
      #expect(bug == nil, "\(bug.map { "\($0)" } ?? "")")
    }

    @Test func anAnswerThatNeverComesIsFoundAndNamesWhoWaits() async throws {
      let bug = try #require(
        try await TaskStorm(seed: 1, patience: .milliseconds(100)).findBug { scenario in
          let mailbox = Mailbox()
          scenario.task("read", mayBeCancelled: false) { _ = await mailbox.wait() }
          scenario.task("write", mayBeCancelled: false) { await mailbox.putCarelessly(1) }
        })
      #expect(bug.reason.hasPrefix("“read” never ended: no task can continue"))
      #expect(bug.schedule.changes == 1)
    }

    @Test func anAnswerThatIsKeptForWhoComesLateIsNotLost() async throws {
      let bug = try await TaskStorm(seed: 1, patience: .milliseconds(100)).findBug { scenario in
        let mailbox = Mailbox()
        scenario.task("read") { _ = await mailbox.wait() }
        scenario.task("write") { await mailbox.put(1) }
      }
      #expect(bug == nil, "\(bug.map { "\($0)" } ?? "")")
    }

    @Test func aTaskThatIsForgottenWhereItIsCancelledIsFound() async throws {
      let bug = try #require(try await cancelled(forgetting: true))
      #expect(bug.reason.hasPrefix("“wait” never ended"))
      #expect("\(bug.schedule)".contains("cancel wait"))
      let fixed = try await cancelled(forgetting: false)
      #expect(fixed == nil, "\(fixed.map { "\($0)" } ?? "")")
    }

    @Test func eachTaskIsCancelledAtEachOfItsTurns() async throws {
      let seen = Mutex<Set<Int>>([])
      try await TaskStorm(seed: 4).run { scenario in
        let rates = Rates()
        scenario.task("work") {
          for part in 0..<5 {
            if Task.isCancelled {
              seen.withLock { _ = $0.insert(part) }
              return
            }
            _ = await rates.fee
          }
        }
      }
      #expect(seen.withLock { $0 } == [0, 1, 2, 3, 4])
    }

    @Test func tasksThatTheCodeBeginsItselfAreOrderedToo() async throws {
      let orders = Orders()
      try await TaskStorm(seed: 9).run { scenario in
        let order = Order()
        scenario.task("all", mayBeCancelled: false) {
          async let child: Void = order.note(1)
          let task = Task { order.note(2) }
          let detached = Task.detached { order.note(3) }
          await withTaskGroup(of: Void.self) { group in
            group.addTask { order.note(4) }
          }
          _ = await (child, task.value, detached.value)
          orders.note(order)
        }
      }
      #expect(orders.all.count >= 4)
      #expect(orders.all.allSatisfy { $0.sorted() == [1, 2, 3, 4] })
    }

    @Test func aTaskThatBeginsInsideAnActorIsOrderedToo() async throws {
      let orders = Orders()
      try await TaskStorm(seed: 2).run { scenario in
        let order = Order()
        let starters = [Starter(order), Starter(order)]
        scenario.task("start", mayBeCancelled: false) {
          let tasks = [await starters[0].start(1), await starters[1].start(2)]
          for task in tasks { await task.value }
          orders.note(order)
        }
      }
      #expect(orders.all == [[1, 2], [2, 1]])
    }

    @Test func theMainActorTakesPartInItsOwnPlace() async throws {
      let bug = try #require(
        try await TaskStorm(seed: 5).findBug { scenario in
          let page = Page()
          scenario.task("first", mayBeCancelled: false) { await page.load(1) }
          scenario.task("second", mayBeCancelled: false) { await page.load(2) }
          scenario.check("shows what was asked for last") { await page.isRight }
        })
      #expect(bug.schedule.changes <= 2)
      #expect(bug.reason.hasPrefix("“shows what was asked for last” does not hold"))
    }

    @Test func whatATimerOrAThreadResumesGoesOnToo() async throws {
      let bug = try await TaskStorm(seed: 6, runs: 20, patience: .seconds(5)).findBug { scenario in
        scenario.task("sleep", mayBeCancelled: false) {
          try await Task.sleep(for: .milliseconds(2))
        }
        scenario.task("thread", mayBeCancelled: false) {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume() }
          }
        }
        scenario.task("queue", mayBeCancelled: false) {
          await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume() }
          }
        }
      }
      #expect(bug == nil, "\(bug.map { "\($0)" } ?? "")")
    }

    @Test func whichQueueOfTheRunsOwnIsFasterIsNoMatter() async throws {
      var found: Set<String> = []
      for _ in 1...8 {
        let bug = try await TaskStorm(seed: 4, patience: .seconds(10)).findBug { scenario in
          let search = Search()
          for name in ["one", "two", "three"] {
            scenario.task(name, mayBeCancelled: false) { await search.search() }
          }
          scenario.check("never goes back") { await !search.hasGoneBack }
        }
        found.insert("\(try #require(bug))")
      }
      #expect(found.count == 1, "\(found.joined(separator: "\n"))")
      #expect(found.first?.contains("to replay this failure") == true)
    }

    @Test func anErrorAndAViolationAreFailures() async throws {
      struct Broken: Error {}
      let thrown = try await TaskStorm(seed: 1).findBug { scenario in
        scenario.task("break") { throw Broken() }
      }
      #expect(thrown?.reason == "“break” threw: Broken()")
      let violation = try await TaskStorm(seed: 1).findBug { scenario in
        scenario.task("show") { expectMainQueue("rows") }
      }
      #expect(violation?.reason.contains("expected main queue") == true)
      let told = try await TaskStorm(seed: 1).findBug { scenario in
        scenario.task("tell") { scenario.fail("told") }
      }
      #expect(
        told?.reason.hasPrefix("told\n  reported at AffinityTestingTests/TaskStormTests.swift:")
          == true)
    }

    @Test func tasksOfOthersGoOnWhileAStormPlays() async throws {
      let others = Task { await countTurns() }
      _ = try await lostUpdate(TaskStorm(seed: 3), isRight: true)
      others.cancel()
      #expect(await others.value > 0)
    }

    @Test func aTaskThatAsksAgainAndAgainDoesNotKeepOthersFromAnswering() async throws {
      let bug = try await TaskStorm(seed: 3, runs: 20).findBug { scenario in
        let mailbox = Mailbox()
        scenario.task("poll", mayBeCancelled: false) {
          let flag = Flag()
          Task { await flag.raise() }
          while await !flag.isUp {}
        }
        scenario.task("yield", mayBeCancelled: false) {
          let flag = Flag()
          Task { await flag.raise() }
          while await !flag.isUp { await Task.yield() }
          await mailbox.put(1)
        }
      }
      #expect(bug == nil, "\(bug.map { "\($0)" } ?? "")")
    }

    @Test func aStormThatEndsTheProcessSaysHowToReplayIt() throws {
      let child = try ChildProcess.runTests(
        [
          "--testing-library", "swift-testing", "--filter",
          "AffinityTestingTests.DyingOfTasksFixture",
        ], environment: ["MAINSTAY_DIES_OF_TASKS": "1", "SWIFT_BACKTRACE": "enable=no"])
      #expect(child.signal != 0)
      #expect(child.errors.contains("in the storm of tasks with seed 3"))
      #expect(child.errors.contains("to replay it: TaskStorm(replaying: \"in order\")"))
    }

    @Test func aTrapIsFoundInChildrenAndShrunk() async throws {
      let bug = try #require(
        try await TaskStorm(seed: 5, runs: 60).findBug(inChildren: true) { offerTicket(to: $0) })
      #expect(bug.schedule.changes == 1)
      #expect(bug.reason.contains("sold twice") && bug.reason.contains("Ticket.sell"))
      #expect("\(bug)".contains("to replay this failure: TaskStorm(replaying: \"turn "))
      let replay = TaskStorm(replaying: "\(bug.schedule)")
      let again = try await replay.findBug(inChildren: true) { offerTicket(to: $0) }
      #expect(again?.schedule == bug.schedule && again?.reason.contains("sold twice") == true)
      let plain = TaskStorm(replaying: "in order")
      #expect(try await plain.findBug(inChildren: true) { offerTicket(to: $0) } == nil)
    }

    @Test(.long) func inChildrenWhatIsRightPassesAndWhatFailsWithoutATrapIsFound() async throws {
      let wrong = try await TaskStorm(seed: 7, runs: 30).findBug(inChildren: true) { scenario in
        offerUpdates(to: scenario, isRight: false)
      }
      #expect(
        wrong?.reason.hasPrefix("“nothing is lost” does not hold") == true
          && wrong?.schedule.changes == 1)
      let right = try await TaskStorm(seed: 7, runs: 10).findBug(inChildren: true) { scenario in
        offerUpdates(to: scenario, isRight: true)
      }
      #expect(right == nil, "\(right.map { "\($0)" } ?? "")")
    }

    @Test func childrenHaveNothingThatTheBodyCaptures() async throws {
      let account = Account(isRight: true)
      await #expect(throws: StormError.self) {
        try await TaskStorm(seed: 1).findBug(inChildren: true) { scenario in
          scenario.task("add") { await account.add(1) }
        }
      }
    }

    private func lostUpdate(_ storm: TaskStorm, isRight: Bool) async throws -> TaskStormBug? {
      try await storm.findBug { scenario in
        offerUpdates(to: scenario, isRight: isRight)
      }
    }

    private func cancelled(forgetting forgets: Bool) async throws -> TaskStormBug? {
      try await TaskStorm(seed: 8, patience: .milliseconds(100)).findBug { scenario in
        let inbox = Inbox(forgets: forgets)
        scenario.task("wait") { _ = await inbox.wait() }
        scenario.task("stop") { await inbox.answer(true) }
      }
    }

    private func countTurns() async -> Int {
      var count = 0
      while !Task.isCancelled {
        count += 1
        await Task.yield()
      }
      return count
    }
  }
}

/// Who came when.
private final class Order: Sendable {
  private let list = Mutex<[Int]>([])
  var numbers: [Int] { list.withLock { $0 } }
  func note(_ number: Int) { list.withLock { $0.append(number) } }
}

/// The orders that there were.
private final class Orders: Sendable {
  private let seen = Mutex<Set<[Int]>>([])
  var all: Set<[Int]> { seen.withLock { $0 } }
  func note(_ order: Order) { seen.withLock { _ = $0.insert(order.numbers) } }
}

private actor Starter {
  private let order: Order
  init(_ order: Order) { self.order = order }

  func start(_ number: Int) -> Task<Void, Never> {
    Task {
      await Task.yield()
      order.note(number)
    }
  }
}

private actor Flag {
  private(set) var isUp = false
  func raise() { isUp = true }
}

@MainActor
private final class Page {
  private let pictures = Pictures()
  private var asked = 0
  private var shown = 0

  var isRight: Bool { shown == asked }

  func load(_ number: Int) async {
    asked = number
    shown = await pictures.picture(number)
  }
}

private actor Pictures {
  func picture(_ number: Int) -> Int { number }
}

import AffinityTesting
import CrashTesting
import Dispatch
import Foundation
import ProcessTesting
import Synchronization
import Testing
import ThreadAffinity

/// Whether this process is a child that is to die in a storm.
private let dies = getenv("MAINSTAY_DIES") != nil

/// An account whose balance is asked before a wait, and not again after it.
private actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }
}

/// A counter that awaits something free between reading and writing.
private actor Ledger {
  enum Wait: CaseIterable { case actor, nobody }

  private(set) var total = 0
  private let rates = Rates()
  private let wait: Wait
  private let isRight: Bool

  init(_ wait: Wait, isRight: Bool) {
    self.wait = wait
    self.isRight = isRight
  }

  func add() async {
    let before = total
    switch wait {
    case .actor: _ = await rates.fee
    case .nobody: await elsewhere()
    }
    total = (isRight ? total : before) + 1
  }
}

private actor Rates {
  var fee: Int { 0 }
}

private struct Nobody: Sendable {
  func rest() async {}
}

/// Belongs to no actor, so that the caller's is left.
private nonisolated func elsewhere() async { await Nobody().rest() }

/// Shows what was asked for, in the order of the answers, which come from queues or after a sleep.
actor Search {
  private let sleeps: Bool
  private var asked = 0
  private var shown = 0
  private(set) var hasGoneBack = false

  init(sleeps: Bool = false) { self.sleeps = sleeps }

  func search() async {
    asked += 1
    let number = asked
    if sleeps {
      try? await Task.sleep(for: .microseconds(.random(in: 500...3000)))
    } else {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "test.network").async {
          usleep(.random(in: 0...300))
          continuation.resume()
        }
      }
    }
    if number < shown { hasGoneBack = true }
    shown = number
  }
}

/// Notes in which order its tasks went on.
private final class Trace: Sendable {
  let lines = Mutex<[Int]>([])

  func go(_ number: Int) {
    for part in 0..<3 {
      Task {
        await Task.yield()
        lines.withLock { $0.append(10 * number + part) }
      }
    }
  }
}

private let traces = Mutex<[[Int]]>([])

/// Dies of its second delivery, in the process of the tests.
@Suite(.enabled(if: dies)) struct DyingFixture {
  @Test func endsTheProcess() async throws {
    let deliveries = Atomic(0)
    try await CallbackStorm(replaying: "on queue: taken; on main: taken; on queue: taken").run {
      scenario in
      scenario.callback("taken") {
        if deliveries.add(1, ordering: .relaxed).newValue == 3 { fatalError("nothing to take") }
      }
    }
  }
}

extension InTurn {
  /// Storms that cannot pass by accident.
  @Suite struct SoundStormTests {
    @Test func aBugAcrossAnAwaitIsFoundTheSameWayInEachRun() async throws {
      var found: [String] = []
      for _ in 1...3 {
        let bug = try #require(
          try await CallbackStorm(seed: 5).findBug { scenario in
            let account = Account()
            scenario.callback("withdraw") { await account.withdraw(60) }
            scenario.check("is never overdrawn") { await account.balance >= 0 }
          })
        found.append("\(bug)")
      }
      #expect(Set(found).count == 1 && found[0].contains("“is never overdrawn” does not hold"))
    }

    @Test func theTasksOfTheCodeUnderTestGoOnInTheOrderOfTheSchedule() async throws {
      for schedule in ["on main, order 7: go; on queue: go", "on main, order 8: go; on queue: go"] {
        traces.withLock { $0 = [] }
        for _ in 1...5 {
          let trace = Trace()
          try await CallbackStorm(replaying: schedule).run { scenario in
            scenario.callback("go") { trace.go(scenario.deliveries) }
          }
          traces.withLock { $0.append(trace.lines.withLock { $0 }) }
        }
        let all = traces.withLock { $0 }
        #expect(Set(all).count == 1 && all[0].count == 6, "\(all)")
      }
    }

    @Test(arguments: Ledger.Wait.allCases)
    private func anUpdateThatIsLostWhileAFreeActorIsAwaitedIsFound(_ wait: Ledger.Wait)
      async throws
    {
      var found: Set<String> = []
      for _ in 1...3 {
        found.insert("\(try #require(try await lostUpdate(wait, isRight: false)))")
      }
      #expect(found.count == 1 && found.first?.contains("“counts all” does not hold") == true)
      #expect(found.first?.contains("to replay this failure") == true)
      for seed in UInt64(1)...3 {
        let bug = try await lostUpdate(wait, isRight: true, seed: seed)
        #expect(bug == nil, "\(bug.map { "\($0)" } ?? "")")
      }
    }

    private func lostUpdate(
      _ wait: Ledger.Wait, isRight: Bool, seed: UInt64 = 1
    ) async throws -> StormBug? {
      try await CallbackStorm(seed: seed).findBug { scenario in
        let ledger = Ledger(wait, isRight: isRight)
        scenario.callback("add") { await ledger.add() }
        scenario.check("counts all") { await ledger.total == scenario.deliveries }
      }
    }

    @Test func whichQueueIsFasterIsNoMatter() async throws {
      var found: Set<String> = []
      for _ in 1...8 {
        found.insert("\(try #require(try await overtaken(sleeps: false)))")
      }
      #expect(found.count == 1, "\(found.joined(separator: "\n"))")
      #expect(found.first?.contains("to replay this failure") == true)
    }

    @Test func whereTheClockHasASayNothingIsCalledExact() async throws {
      let bug = try #require(try await overtaken(sleeps: true))
      #expect("\(bug)".contains("a timer or a delay of the code under test"), "\(bug)")
      #expect("\(bug)".contains("to replay these deliveries"))
    }

    private func overtaken(sleeps: Bool) async throws -> StormBug? {
      try await CallbackStorm(seed: 3).findBug { scenario in
        let search = Search(sleeps: sleeps)
        scenario.callback("search") { await search.search() }
        scenario.check("never goes back") { await !search.hasGoneBack }
      }
    }

    @Test(.long) func aCheckThatSleepsIsAnswered() async throws {
      let bug = try await CallbackStorm(seed: 1, deliveries: 2, patience: .seconds(2)).findBug {
        scenario in
        scenario.callback("taken") {}
        scenario.check("is awake") {
          try? await Task.sleep(for: .milliseconds(10))
          return true
        }
      }
      #expect(bug == nil, "\(bug.map { "\($0)" } ?? "")")
    }

    @Test(arguments: [
      (
        "on queue: recieved",
        "the scenario has no callback “recieved”; its callbacks are “received”"
      ),
      ("action: tap", "the scenario has no action “tap”"),
      ("cancel", "“cancel” does nothing: the scenario has no `onCancel`"),
      ("foreground", "“foreground” is not a lifecycle transition from “active”"),
      ("", "the schedule has no step"),
    ])
    func aReplayThatWouldDoNothingIsRefused(schedule: String, reason: String) async {
      await #expect {
        try await CallbackStorm(replaying: schedule).run { scenario in
          scenario.callback("received") {}
        }
      } throws: { error in
        (error as? StormScheduleError)?.description == reason
      }
    }

    @Test(.long) func aReplayWaitsForWhatItHasSetGoing() async throws {
      for _ in 1...5 {
        let bug = try await CallbackStorm(replaying: "on main: parsed").findBug(inChildren: true) {
          scenario in
          scenario.callback("parsed") {
            DispatchQueue(label: "parser").async {
              usleep(20_000)
              Task {
                try? await Task.sleep(for: .milliseconds(20))
                fatalError("parsed wrongly")
              }
            }
          }
        }
        #expect(bug?.reason.contains("parsed wrongly") == true)
      }
    }

    @Test(.long) func aRaceOfTwoCallbacksIsFoundAmongMany() async throws {
      let bug = try #require(
        try await CallbackStorm(seed: 2).findBug { scenario in
          let isDone = Atomic(false)
          let ends = Atomic(0)
          let end: @Sendable () -> Void = {
            if isDone.load(ordering: .relaxed) { return }
            isDone.store(true, ordering: .relaxed)
            ends.add(1, ordering: .relaxed)
          }
          scenario.callback("progressed") {}
          scenario.callback("succeeded", never: [.twice]) { end() }
          scenario.callback("redirected") {}
          scenario.callback("failed", never: [.twice]) { end() }
          scenario.callback("asked") {}
          scenario.check("ends once") { ends.load(ordering: .relaxed) <= 1 }
        })
      #expect(bug.schedule.deliveries == 1 && "\(bug.schedule)".contains("concurrently"))
    }

    @Test func aStormThatEndsTheProcessNamesItsStep() throws {
      let child = try ChildProcess.runTests(
        ["--testing-library", "swift-testing", "--filter", "AffinityTestingTests.DyingFixture"],
        environment: ["MAINSTAY_DIES": "1", "SWIFT_BACKTRACE": "enable=no"])
      #expect(child.signal == Trap.signal)
      #expect(
        child.everything.contains("while a storm was at step 3.")
          && child.everything.contains(
            "CallbackStorm(replaying: \"on queue: taken; on main: taken; on queue: taken\")"),
        "\(child.everything)")
    }

    @Test func aRuleThatDoesNotExistIsNoExpectation() async {
      await withKnownIssue {
        await expectCrash("isolation-trapp") { fatalError("never run") }
      } matching: {
        $0.comments.first?.rawValue.contains("unknown rule “isolation-trapp”; the rules are")
          == true
      }
      await #expect(throws: StormError.self) {
        try await CallbackStorm(seed: 1).run(forbidding: "of-main-ui") { scenario in
          scenario.callback("received") {}
        }
      }
    }

    @Test func anAsynchronousCrashIsExpected() async {
      await expectCrash(.crash) {
        await Task.yield()
        fatalError("out of stock")
      }
    }
  }
}

import AffinityTesting
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
  @Test func dies() async throws {
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

    @Test(arguments: [
      ("on queue: recieved", "the scenario has no callback “recieved”; it has “received”"),
      ("action: tap", "the scenario has no action “tap”; it has none"),
      ("cancel", "“cancel” does nothing: the scenario has no `onCancel`"),
      ("foreground", "“foreground” is no move that a system makes from “active”"),
      ("", "the schedule has no step"),
    ])
    func aReplayThatWouldDoNothingIsRefused(schedule: String, reason: String) async {
      let error = await #expect(throws: StormScheduleError.self) {
        try await CallbackStorm(replaying: schedule).run { scenario in
          scenario.callback("received") {}
        }
      }
      #expect(error?.description == reason)
    }

    @Test func aReplayWaitsForWhatItHasSetGoing() async throws {
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

    @Test func aRaceOfTwoCallbacksIsFoundAmongMany() async throws {
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
      #expect(child.signal == SIGILL)
      #expect(
        child.everything.contains("while a storm is at step 3.")
          && child.everything.contains(
            "CallbackStorm(replaying: \"on queue: taken; on main: taken; on queue: taken\")"),
        "\(child.everything)")
    }

    @Test func aRuleThatDoesNotExistIsNoExpectation() async {
      await withKnownIssue {
        await expectCrash("isolation-trapp") { fatalError("never run") }
      } matching: {
        $0.comments.first?.rawValue.contains("there is no rule “isolation-trapp”; there are")
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

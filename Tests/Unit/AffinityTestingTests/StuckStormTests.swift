import AffinityTesting
import Dispatch
import ProcessTesting
import Testing
import ThreadAffinity

/// Code under test that does not come back, and code that waits for the main queue.
extension InTurn {
  @Suite struct StuckStormTests {
    /// A gate that nobody opens.
    private static let gate = DispatchSemaphore(value: 0)

    @Test(.long) func whatNeverReturnsIsFoundAndShrunkInChildren() async throws {
      let bug = try #require(
        try await CallbackStorm(seed: 3, deliveries: 20, patience: .seconds(1)).findBug {
          scenario in
          scenario.callback("harmless") {}
          scenario.callback("stuck", never: [.concurrently]) {
            if !MainQueue.isCurrent { Self.gate.wait() }
          }
        })
      #expect(bug.schedule.deliveries == 1 && bug.runs == 1 && bug.failures == 1)
      #expect(bug.reason.contains("did not return within"))
    }

    @Test(.long) func whatIsStuckAndCannotBePlayedElsewhereIsToldAsItCame() async throws {
      let gate = Self.gate
      let bug = try #require(
        try await CallbackStorm(seed: 3, deliveries: 20, patience: .seconds(1)).findBug {
          scenario in
          scenario.callback("stuck", never: [.concurrently]) {
            if !MainQueue.isCurrent { gate.wait() }
          }
        })
      #expect(bug.runs == 0 && "\(bug)".contains("use inChildren: true to find the fewest"))
    }

    @Test(.long) func aMainQueueThatIsBlockedForGoodIsFoundInChildren() async throws {
      let bug = try #require(
        try await CallbackStorm(seed: 3, deliveries: 20, patience: .seconds(1)).findBug(
          inChildren: true
        ) { scenario in
          scenario.callback("harmless") {}
          scenario.callback("blocks") { DispatchQueue.main.async { Self.gate.wait() } }
        })
      #expect(bug.schedule.deliveries == 1 && bug.failures == 1)
      #expect(bug.reason.contains("the main queue did not answer"))
    }

    @Test(.long) func aCallbackMayWaitForTheMainQueueThatIsBusy() async throws {
      try await CallbackStorm(seed: 3).run { scenario in
        scenario.callback("waits") {
          if !MainQueue.isCurrent { DispatchQueue.main.sync {} }
        }
      }
    }
  }
}

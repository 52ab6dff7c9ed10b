import AffinityTesting
import Foundation
import Testing

@testable import Operations

extension OnScreen {
  /// Storms that know what a script can say, and nothing of what is wrong with the screen.
  @Suite struct MessagesStormTests {
    @MainActor
    private static func offer(_ handling: OperationsController.Handling, to scenario: StormScenario)
    {
      let screen = ScreenInAStorm(handling)
      scenario.callback("progress") { number in
        screen.post({ Posts.progress($0, number % 101) }, of: number)
      }
      scenario.callback("completed") { number in screen.post({ Posts.completed($0) }, of: number) }
      scenario.callback("failed") { number in
        screen.post({ Posts.completed($0, "error") }, of: number)
      }
      scenario.callback("nonsense") { number in screen.post({ ScriptMessage(body: $0) }, of: number)
      }
      scenario.callback("exception") { screen.throw() }
      scenario.check("each row shows its operation") { screen.isRight }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func aStormFindsTheBugAndShrinksIt(seed: UInt64) async throws {
      let found = try await CallbackStorm(seed: seed, deliveries: 200).findBug(inChildren: true) {
        await Self.offer(.whereTheyCome, to: $0)
      }
      let bug = try #require(found)
      #expect(bug.schedule.deliveries <= 5, "\(bug)")
      #expect(bug.reason.contains("OperationsController.scriptEngine(_:didReceive:)"), "\(bug)")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func noStormFindsAnythingWithTheFix(seed: UInt64) async throws {
      try await CallbackStorm(seed: seed, deliveries: 200).run(against: { scenario in
        await Self.offer(.onMain, to: scenario)
      })
    }
  }
}

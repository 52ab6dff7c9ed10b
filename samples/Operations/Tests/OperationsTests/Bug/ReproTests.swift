import AffinityTesting
import Foundation
import Testing

@testable import Operations

// unhopped-callback: OperationsController.scriptEngine(_:didReceive:) (OperationsController.swift:174) is
// called on no queue and touches “list of operations” without a hop
//   begun run engine.c:143
//   called back OperationsController.scriptEngine(_:didReceive:) OperationsController.swift:174
//   no hop to the main queue
//   touched “list of operations” OperationsHandler.handleMessage(_:) OperationsHandler.swift:68
//
// The other findings of the log have the same delivery: those that touch the table, the bar and the label
// go unnoticed, and the one that touches the layout engine ends the process.

extension OnScreen {
  /// The tests that `crashscan repro LOG --finding N` writes of the program's log, with the real screen in
  /// the stand-in's place: one for a message that only moves a bar, one for a message that changes the
  /// layout.
  @Suite struct ReproTests {
    private static let storm = CallbackStorm(
      replaying: "on thread: OperationsController.scriptEngine(_:didReceive:)")

    @MainActor
    private static func offer(
      _ handling: OperationsController.Handling, to scenario: StormScenario,
      _ message: @escaping @Sendable (String) -> ScriptMessage
    ) {
      let subject = ScreenInAStorm(handling)
      scenario.callback("OperationsController.scriptEngine(_:didReceive:)") { number in
        subject.post(message, of: number)
      }
      scenario.check("what was called back is right") { subject.isRight }
    }

    @Test func theBugFailsProgress() async throws {
      let bug = try #require(
        try await Self.storm.findBug {
          await Self.offer(.whereTheyCome, to: $0) { Posts.progress($0, 40) }
        })
      #expect(bug.reason.contains("list of operations: expected main queue"), "\(bug)")
    }

    @Test func theFixPassesProgress() async throws {
      try await Self.storm.run { await Self.offer(.onMain, to: $0) { Posts.progress($0, 40) } }
    }

    @Test func theBugFailsAnEnd() async throws {
      let bug = try #require(
        try await Self.storm.findBug(inChildren: true) {
          await Self.offer(.whereTheyCome, to: $0) { Posts.completed($0) }
        })
      #expect(bug.reason.contains("“layout engine” was recorded off the main queue"), "\(bug)")
    }

    @Test func theFixPassesAnEnd() async throws {
      try await Self.storm.run(inChildren: true) {
        await Self.offer(.onMain, to: $0) { Posts.completed($0) }
      }
    }
  }
}

import AffinityTesting
import CrashTesting
import Foundation
import HeadlessUI
import Testing

@testable import Operations

extension OnScreen {
  /// The bug: messages are handled on the engine's thread, with the real engine and the app's own script.
  @MainActor @Suite struct MessagesBugTests {
    @Test nonisolated func handledWhereTheyComeMessagesEndTheProcess() async {
      await expectCrash(
        .unhoppedCallback, culprit: "OperationsController.scriptEngine(_:didReceive:)",
        within: .seconds(20)
      ) {
        Task { @MainActor in
          let screen = TestScreen(ScriptEngine(), handling: .whereTheyCome, atFirst: 3)
          try await screen.wait(for: "the end") { screen.operations.isEmpty }
        }
      }
    }

    @Test nonisolated func theCrashItselfIsBlamedOnTheSameMethod() async {
      await expectCrash(
        .crash, culprit: "OperationsController.scriptEngine(_:didReceive:)", within: .seconds(20)
      ) {
        Task { @MainActor in
          let screen = TestScreen(ScriptEngine(), handling: .whereTheyCome, atFirst: 3)
          try await screen.wait(for: "the end") { screen.operations.isEmpty }
        }
      }
    }

    /// Progress alone leaves the layout as it is, so that nobody notices.
    @Test func progressThatIsHandledOffMainGoesUnnoticed() async throws {
      let engine = HeldEngine(loadsAtOnce: true)
      let screen = TestScreen(engine, handling: .whereTheyCome, atFirst: 1)
      await screen.rest()
      _ = screen.text
      let violations = await expectViolation(of: .main, in: "handleMessage") {
        await Self.onAThread { engine.post(Posts.progress("op-1", 40)) }
      }
      #expect(violations.contains { $0.message == "list of operations" })
      try await screen.wait(for: "the bar") { screen.lines[3].contains("40 %") }
    }

    @Test func withTheHopTheSameStoryEndsWell() async throws {
      try await expectNoViolations {
        let screen = TestScreen(ScriptEngine(), handling: .onMain, atFirst: 3)
        try await screen.wait(for: "all ends") { screen.controller.operations.unfinished.isEmpty }
        #expect(screen.text.contains("done"))
      }
    }

    private static func onAThread(_ work: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          work()
          done.resume()
        }
      }
    }
  }
}

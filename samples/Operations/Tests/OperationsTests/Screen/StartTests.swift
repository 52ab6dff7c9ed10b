import AffinityTesting
import Foundation
import HeadlessUI
import Testing

@testable import Operations

extension OnScreen {
  /// Operations begin when the script and the screen are both there, however long either takes.
  @MainActor @Suite(.affinityChecked) struct StartTests {
    @Test func operationsWaitForTheScript() async {
      let engine = HeldEngine()
      let screen = TestScreen(engine, atFirst: 2)
      await screen.rest()
      #expect(engine.started.isEmpty)
      #expect(screen.text.contains("op-1                        waits for the script"))
      engine.load()
      await screen.rest()
      #expect(engine.started == ["op-1", "op-2"])
      #expect(screen.operations.allSatisfy { $0.state == .running })
      #expect(!screen.text.contains("waits for the script"))
    }

    @Test func operationsWaitForTheScreen() async {
      let engine = HeldEngine()
      let screen = TestScreen(engine, atFirst: 1, isShown: false)
      _ = screen.controller.view
      engine.load()
      await screen.rest()
      screen.controller.startNewOperation()
      #expect(engine.started.isEmpty)
      screen.show()
      #expect(engine.started == ["op-1", "op-2"])
    }

    @Test func aTapStartsOneMore() async throws {
      let engine = HeldEngine()
      let screen = TestScreen(engine)
      #expect(screen.text.contains("No operations yet."))
      engine.load()
      await screen.rest()
      try screen.tap("Start an operation")
      try screen.tap("Start an operation")
      #expect(engine.started == ["op-1", "op-2"])
      #expect(screen.lines.filter { $0.hasSuffix("runs") }.count == 2)
    }

    @Test func theScriptIsLoadedOnceHoweverOftenTheScreenAppears() async {
      let engine = HeldEngine()
      let screen = TestScreen(engine, atFirst: 1)
      screen.window.rootViewController = nil
      screen.show()
      #expect(engine.loads == 1)
      #expect(screen.operations.count == 1)
    }
  }
}

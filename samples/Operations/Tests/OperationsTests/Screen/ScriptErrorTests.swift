import AffinityTesting
import Foundation
import HeadlessUI
import Synchronization
import Testing

@testable import Operations

extension OnScreen {
  /// What goes wrong in the script is shown, and can be tried again.
  @MainActor @Suite(.affinityChecked) struct ScriptErrorTests {
    @Test func aScriptThatIsMissingIsSaidAndAskedForAgain() async throws {
      let times = Counter()
      let screen = TestScreen(
        ScriptEngine(),
        source: { () throws(ScriptError) in
          if times.next() == 1 { throw ScriptError(message: "operations.js cannot be read") }
          return Script(name: "t.js", text: "function startOperation(id) {}")
        }, atFirst: 1)
      #expect(screen.lines.contains("The script was not loaded: operations.js cannot"))
      try screen.tap("Try again")
      try await screen.wait(for: "the start") { screen.operations[0].state == .running }
      #expect(screen.lines.contains("The script is ready."))
      #expect(screen.window.button("Try again") == nil)
    }

    @Test func aScriptThatCannotBeEvaluatedIsSaidAndTriedAgain() async throws {
      let times = Counter()
      let screen = TestScreen(
        ScriptEngine(),
        source: { () throws(ScriptError) in
          let text = times.next() == 1 ? "let = ;" : "function startOperation(id) {}"
          return Script(name: "t.js", text: text)
        }, atFirst: 2)
      try await screen.wait(for: "the error") { !screen.controller.script.isLoading }
      #expect(screen.text.contains("SyntaxError") && screen.text.contains("(t.js:1)"))
      #expect(screen.operations.allSatisfy { $0.state == .waiting })
      try screen.tap("Try again")
      try await screen.wait(for: "the start") {
        screen.operations.allSatisfy { $0.state == .running }
      }
    }

    @Test func anOperationThatCannotBeStartedSaysSoInItsRow() async throws {
      let screen = TestScreen(
        ScriptEngine(),
        source: { () throws(ScriptError) in
          Script(
            name: "t.js",
            text: "function startOperation(id) { if (id === 'op-1') throw Error('busy') }")
        }, atFirst: 2)
      try await screen.wait(for: "the failure") { screen.operations[0].hasFailed }
      #expect(screen.lines.contains("op-1                  not started; tap to repeat"))
      #expect(screen.lines.contains("The script has failed: busy (t.js:1)"))
      screen.controller.table.view.selectRow(at: IndexPath(row: 0))
      try await screen.wait(for: "the start") { screen.operations[0].state == .running }
      #expect(screen.operations[1].state == .running)
    }

    @Test func anExceptionOnTheWayIsSaidAndWhatIsUnfinishedBeginsAnew() async throws {
      let times = Counter()
      let screen = TestScreen(
        ScriptEngine(),
        source: { () throws(ScriptError) in
          times.next() == 1
            ? Script(
              name: "t.js",
              text: "function startOperation(id) { setTimeout(() => { throw Error('lost') }, 1) }")
            : try .bundled()
        }, atFirst: 1)
      try await screen.wait(for: "the exception") { screen.controller.script.canRetry }
      #expect(screen.lines.contains("The script has failed: lost (t.js:1)"))
      #expect(screen.operations[0].state == .running)
      try screen.tap("Try again")
      #expect(screen.operations[0].state == .waiting)
      try await screen.wait(for: "the end") { screen.operations[0].isFinished }
      #expect(screen.operations.map(\.id.text) == ["op-2"])
      #expect(screen.operations[0].state == .succeeded)
    }

    @Test func whatWasBegunByAnEarlierScriptIsNotHeardAnyMore() async throws {
      let engine = HeldEngine()
      let screen = TestScreen(engine, atFirst: 1)
      engine.load()
      await screen.rest()
      engine.throw(ScriptError(message: "lost"))
      await screen.rest()
      try screen.tap("Try again")
      // The old script's last words, and a second answer to the first load.
      engine.post(Posts.completed("op-1"))
      engine.throw(ScriptError(message: "lost again"))
      engine.load(0, .failure(ScriptError(message: "old")))
      engine.answer("op-1", .failure(ScriptError(message: "old")))
      await screen.rest()
      #expect(screen.controller.script.isLoading)
      #expect(screen.operations.map(\.state) == [.waiting])
      engine.load(1)
      await screen.rest()
      #expect(engine.started == ["op-1", "op-2"])
    }
  }
}

/// Counts from 1.
final class Counter: Sendable {
  private let last = Atomic(0)

  func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

import AffinityTesting
import Foundation
import HeadlessUI
import Testing

@testable import Operations

extension OnScreen {
  /// A message is seen in its own row, and nowhere else.
  @MainActor @Suite(.affinityChecked) struct RowTests {
    private let engine = HeldEngine(loadsAtOnce: true)
    private let frames = HeldFrames()

    private func screen(_ operations: Int, height: Int = 20) async -> TestScreen {
      let screen = TestScreen(engine, height: height, clock: frames, atFirst: operations)
      await screen.rest()
      _ = screen.text
      return screen
    }

    /// Has a message come, and everything it leads to.
    private func post(_ message: ScriptMessage, to screen: TestScreen) async {
      DispatchQueue.global().sync { engine.post(message) }
      await screen.rest()
      frames.finish()
      _ = screen.text
    }

    private func redraws(of cells: [CountingCell], since before: [Int]) -> [Int] {
      cells.indices.map { cells[$0].shown - before[$0] }
    }

    @Test func onlyTheChangedRowIsRedrawn() async throws {
      let screen = await screen(4)
      let cells = try (0..<4).map { try screen.cell($0) }
      let before = cells.map(\.shown)
      for percent in [20, 40, 60] { await post(Posts.progress("op-3", percent), to: screen) }
      #expect(redraws(of: cells, since: before) == [0, 0, 3, 0])
      await post(Posts.completed("op-2", "error"), to: screen)
      #expect(redraws(of: cells, since: before) == [0, 1, 3, 0])
      // No cell was given to another row either.
      for row in 0..<4 { #expect(try screen.cell(row) === cells[row]) }
    }

    @Test func whatChangesNothingRedrawsNothing() async throws {
      let screen = await screen(2)
      await post(Posts.progress("op-1", 40), to: screen)
      let cells = try (0..<2).map { try screen.cell($0) }
      let before = cells.map(\.shown)
      for message in [
        Posts.progress("op-1", 40), Posts.progress("op-1", 20), Posts.progress("op-9", 20),
        ScriptMessage(body: "["), ScriptMessage(body: "{}", isText: false),
      ] { await post(message, to: screen) }
      #expect(cells.map(\.shown) == before)
    }

    @Test func whatWasIgnoredIsCountedAndTheLastIsTold() async {
      let screen = await screen(1)
      #expect(!screen.text.contains("ignored"))
      let lines = [
        (ScriptMessage(body: "["), "1 ignored, the last was malformed: not JSON"),
        (Posts.progress("op-9", 20), "2 ignored, the last was of an unknown operation"),
      ]
      for (message, line) in lines {
        await post(message, to: screen)
        #expect(screen.lines.contains(line), "\(screen.text)")
      }
      await post(Posts.completed("op-1"), to: screen)
      await post(Posts.completed("op-1"), to: screen)
      #expect(screen.lines.contains("3 ignored, the last was twice"))
      await post(Posts.progress("op-1", 20), to: screen)
      #expect(screen.lines.contains("4 ignored, the last was too late"))
    }

    @Test func theRowSaysHowItEnds() async {
      let screen = await screen(2)
      await post(Posts.progress("op-1", 50), to: screen)
      await post(Posts.completed("op-1"), to: screen)
      await post(Posts.progress("op-2", 50), to: screen)
      await post(Posts.completed("op-2", "error"), to: screen)
      #expect(
        screen.lines.suffix(from: 2).prefix(4) == [
          "op-1                                        done",
          "██████████████████████████████████████████ 100 %",
          "op-2                       failed; tap to repeat",
          "█████████████████████░░░░░░░░░░░░░░░░░░░░░  50 %",
        ])
    }

    @Test func aRowThatIsOutOfSightIsRightWhenItComesBack() async throws {
      let screen = await screen(10, height: 8)
      let table = screen.controller.table.view
      #expect(table.visibleCells.count < 4)
      await post(Posts.progress("op-9", 70), to: screen)
      await post(Posts.completed("op-1"), to: screen)
      table.scrollToRow(at: IndexPath(row: 9))
      let bar = try screen.cell(8).bar
      // A cell that was used before shows its new row at once: nothing moves there from the old one.
      #expect(bar.progress == 0.7 && !bar.isAnimating)
      #expect(try screen.cell(9).bar.progress == 0)
    }

    @Test func aTapOnAFailedRowStartsItAnewUnderAnotherId() async throws {
      let screen = await screen(2)
      await post(Posts.progress("op-1", 60), to: screen)
      await post(Posts.completed("op-1", "error"), to: screen)
      screen.controller.table.view.selectRow(at: IndexPath(row: 0))
      #expect(engine.started == ["op-1", "op-2", "op-3"])
      #expect(screen.operations.map(\.id.text) == ["op-3", "op-2"])
      #expect(try screen.cell(0).bar.progress == 0)
      await post(Posts.progress("op-1", 80), to: screen)
      #expect(screen.operations[0].progress == 0)
      await post(Posts.progress("op-3", 20), to: screen)
      #expect(screen.operations[0].progress == 20)
    }

    @Test func aTapOnAnyOtherRowDoesNothing() async {
      let screen = await screen(2)
      await post(Posts.completed("op-1"), to: screen)
      for row in 0...1 { screen.controller.table.view.selectRow(at: IndexPath(row: row)) }
      #expect(engine.started == ["op-1", "op-2"])
    }
  }
}

import AffinityTesting
import Foundation
import HeadlessUI
import LoopbackHTTP
import Testing

@testable import Squad

extension OnScreen {
  /// “My squad”, and the ways to hire and fire.
  @MainActor @Suite(.affinityChecked) struct SquadScreenTests {
    @Test func isNotThereWhereNobodyWasHired() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      #expect(app.screen.strip.isHidden)
    }

    @Test func showsTheHiredBeforeTheScreenDoes() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      try await app.hire(row: 2)
      try await app.hire(row: 0)
      #expect(app.list.state.squad.map(\.id) == [3, 1])
      try expectSnapshot(app.text(), "squad")
      try expectSnapshot(ScreenColors(of: app.window).text, "squad-colors")
    }

    @Test func isThereAgainAfterTheEndOfTheApp() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      try await app.hire(row: 2)
      try await app.relaunch()
      #expect(app.list.state.squad.map(\.id) == [3])
    }

    @Test func alsoComesWithoutANetwork() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      try await app.hire(row: 2)
      app.server.stop()
      try await app.relaunch()
      #expect(app.screen.strip.cells.map(\.hero?.id) == [3])
    }

    @Test func theFiredLeaveAndTheOthersKeepTheirPictures() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      for row in [0, 1, 2] { try await app.hire(row: row) }
      try await app.settle()
      try await app.fireMember(at: 1)
      try await app.settle()
      let cells = app.screen.strip.cells
      #expect(cells.map(\.hero?.id) == [1, 3])
      #expect(cells.map(\.picturedName) == cells.map(\.hero?.name))
      for _ in cells { try await app.fireMember(at: 0) }
      #expect(app.screen.strip.isHidden)
    }

    @Test func isScrolledWhereItIsWiderThanTheScreen() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      for row in 0..<4 { try await app.hire(row: row) }
      try await app.settle()
      app.screen.strip.drag(by: 100)
      try expectSnapshot(app.screen.strip.renderedText(), "squad-scrolled")
    }

    @Test func aDamagedFileIsSurvived() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      try await app.hire(row: 0)
      let file = app.directory.url.appendingPathComponent("squad.json")
      try Data("{".utf8).write(to: file)
      try await app.relaunch()
      #expect(app.screen.strip.isHidden)
      try await app.hire(row: 1)
      #expect(app.list.state.squad.map(\.id) == [2])
    }

    @Test func aSquadThatCannotBeReadIsSaidAndReadAgain() async throws {
      let app = try AppUnderTest()
      let file = app.directory.url.appendingPathComponent("squad.json")
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      try await app.launch()
      try await eventually { app.list.state.squadError != nil }
      try expectSnapshot(app.screen.notice.renderedText(), "squad-unreadable")
      try FileManager.default.removeItem(at: file)
      app.window.button("Try again")?.tap()
      try await eventually { app.list.state.squadError == nil }
    }
  }
}

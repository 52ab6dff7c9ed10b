import AffinityTesting
import Foundation
import HeadlessUI
import LoopbackHTTP
import Testing

@testable import Squad

extension OnScreen {
  /// The detail's screen as it is used.
  @MainActor @Suite(.affinityChecked) struct HeroDetailScreenTests {
    private func detail(
      row: Int, size: Size = Size(width: 48, height: 24)
    ) async throws -> (AppUnderTest, HeroDetailController) {
      let app = try AppUnderTest(size: size)
      try await app.launch()
      try await app.open(row: row)
      return (app, try #require(app.detail))
    }

    @Test func showsTheHeroAndTheComics() async throws {
      let (app, _) = try await detail(row: 2)
      try await app.settle()
      try expectSnapshot(app.text(), "detail")
      try expectSnapshot(ScreenColors(of: app.window).text, "detail-colors")
    }

    @Test func scrollsToWhatIsBelow() async throws {
      let (app, detail) = try await detail(row: 3, size: Size(width: 48, height: 16))
      detail.screen.drag(by: 100)
      try expectSnapshot(app.text(), "detail-scrolled")
    }

    @Test func keepsItsButtonNarrowOnAWideScreen() async throws {
      let (app, detail) = try await detail(row: 0, size: Size(width: 100, height: 20))
      #expect(detail.screen.button.frame.width <= ActionButton.widest)
      try expectSnapshot(app.text(), "detail-wide")
    }

    @Test func hiringTurnsTheButtonIntoFire() async throws {
      let (_, detail) = try await detail(row: 0)
      #expect(detail.screen.button.title == "Hire")
      detail.screen.button.tap()
      #expect(detail.screen.button.title == "One moment…")
      #expect(!detail.screen.button.isEnabled)
      try await eventually { detail.store.state.membership == .member }
      #expect(detail.screen.button.title == "Fire")
    }

    @Test func firingAsksFirst() async throws {
      let (app, detail) = try await detail(row: 0)
      detail.screen.button.tap()
      try await eventually { detail.store.state.membership == .member }
      detail.screen.button.tap()
      try expectSnapshot(app.text(), "detail-confirm")
      app.window.button("Cancel")?.tap()
      #expect(detail.store.state.membership == .member)
      detail.screen.button.tap()
      detail.screen.confirmation.fire.tap()
      try await eventually { detail.store.state.membership == .stranger }
      #expect(detail.screen.confirmation.isHidden)
    }

    @Test func aButtonShowsThatAFingerIsOnIt() async throws {
      let (app, detail) = try await detail(row: 0)
      detail.screen.button.press()
      #expect(ScreenColors(of: app.window).text.contains("hhhh"))
      detail.screen.button.release()
      #expect(!ScreenColors(of: app.window).text.contains("h"))
      #expect(detail.store.state.membership == .hiring)
      try await eventually { detail.store.state.membership == .member }
    }

    @Test func comicsThatCannotBeHadAreSaidAndRetried() async throws {
      let app = try AppUnderTest(size: Size(width: 48, height: 24))
      try await app.launch()
      app.server.answer("/v1", with: .status(404))
      try await app.open(row: 2)
      try expectSnapshot(app.text(), "detail-error")
      app.server.recover()
      app.window.button("Try again")?.tap()
      try await app.settle()
      #expect(app.detail?.store.state.status == .loaded)
    }

    @Test func comicsFromTheLastTimeAreShownWithoutANetwork() async throws {
      let (app, _) = try await detail(row: 2)
      try await app.back()
      app.server.answer("/v1", with: .status(500))
      try await app.open(row: 2)
      try expectSnapshot(app.text(), "detail-persisted")
    }

    @Test func whoCannotBeSavedIsNotHiredAndThatIsSaid() async throws {
      let (app, detail) = try await detail(row: 0)
      let file = app.directory.url.appendingPathComponent("squad.json")
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      detail.screen.button.tap()
      try await eventually { detail.store.state.squadError != nil }
      #expect(detail.screen.button.title == "Hire")
      try expectSnapshot(app.text(), "detail-not-saved")
    }
  }
}

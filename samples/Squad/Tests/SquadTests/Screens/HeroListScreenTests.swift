import AffinityTesting
import Foundation
import HeadlessUI
import LoopbackHTTP
import Testing

@testable import Squad

extension OnScreen {
  /// The list's screen as it is used: tapped, dragged, and left and entered again.
  @MainActor @Suite(.affinityChecked) struct HeroListScreenTests {
    @Test func showsTheFirstPage() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      #expect(app.list.state.heroes.count == 20)
      try expectSnapshot(app.text(), "list")
      try expectSnapshot(ScreenColors(of: app.window).text, "list-colors")
    }

    @Test func saysThatItIsLoading() async throws {
      let app = try AppUnderTest()
      let gate = app.server.hold("/v1/public/characters")
      app.window.rootViewController = app.app.root
      try expectSnapshot(app.text(), "list-loading")
      gate.open()
      try await app.settle()
    }

    @Test func scrollingToTheEndShowsEveryHeroOnce() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      var names: [String] = []
      for _ in 0..<20 {
        for cell in app.screen.table.visibleCells {
          if let name = cell.accessibilityLabel, !names.contains(name) { names.append(name) }
        }
        app.screen.table.drag(by: Point(y: 3 * HeroCell.height))
        try await app.settle()
      }
      #expect(names == app.list.state.heroes.map(\.name))
      #expect(names.count == 45)
      #expect(app.server.requests.filter { $0.path.hasSuffix("characters") }.count == 3)
      try expectSnapshot(app.text(), "list-end")
    }

    @Test func aSecondPageLeavesTheCellsAloneThatAreThere() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      app.screen.table.drag(by: Point(y: 14 * HeroCell.height))
      let gate = app.server.hold("/v1/public/characters")
      app.window.layoutIfNeeded()
      let before = app.screen.table.visibleCells
      try expectSnapshot(app.screen.footer.renderedText(), "list-footer-loading")
      gate.open()
      try await app.settle()
      #expect(app.list.state.heroes.count == 40)
      #expect(before.elementsEqual(app.screen.table.visibleCells, by: ===))
    }

    @Test func anErrorIsShownAndRetryHelps() async throws {
      let app = try AppUnderTest()
      app.server.answer("/v1", with: .status(500))
      try await app.launch()
      try expectSnapshot(app.text(), "list-error")
      app.server.recover()
      app.window.button("Try again")?.tap()
      try await app.settle()
      #expect(app.list.state.status == .loaded)
      #expect(app.window.button("Try again") == nil)
    }

    @Test func aFailedNextPageIsShownAndRetryHelps() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      app.server.answer("/v1", with: .text("<html>", type: "text/html"), times: 1)
      app.screen.table.drag(by: Point(y: 16 * HeroCell.height))
      try await app.settle()
      try expectSnapshot(app.text(), "list-next-page-error")
      app.window.button("Try again")?.tap()
      try await app.settle()
      #expect(app.list.state.heroes.count == 40)
    }

    @Test func withoutANetworkTheLastListIsShown() async throws {
      let app = try AppUnderTest()
      try await app.launch()
      app.server.answer("/v1", with: .status(503))
      try await app.relaunch()
      #expect(app.list.state.heroes.count == 20)
      try expectSnapshot(app.text(), "list-persisted")
      app.server.recover()
      app.window.button("Try again")?.tap()
      try await app.settle()
      #expect(app.list.state.status == .loaded)
    }

    @Test func aPictureThatIsNotFoundIsSaidToBeMissing() async throws {
      let app = try AppUnderTest()
      app.server.answer("/images/2.pgm", with: .notFound)
      app.server.answer("/images/3.pgm", with: .text("no picture"))
      try await app.launch()
      try expectSnapshot(app.text(), "list-pictures-missing")
    }

    @Test(arguments: ["it", "de"]) func speaksTheLanguage(language: String) async throws {
      let app = try AppUnderTest(heroes: 3, language: language)
      try await app.launch()
      try await app.hire(row: 1)
      app.server.answer("/v1", with: .status(500))
      try await app.relaunch()
      try expectSnapshot(app.text(), "list-\(language)")
    }
  }
}

import AffinityTesting
import Foundation
import LoopbackHTTP
import SitesServer
import Testing

@testable import Sites

/// The list, as a person sees and uses it, with a real server behind it.
@MainActor @Suite(.affinityChecked) struct ListScreenTests {
  private let server: SiteServer

  init() throws { server = try SiteServer() }

  @Test func theListShowsEachSitesImageNameAndDescription() async throws {
    // Straight edges, so that no version of the libraries draws them otherwise.
    server.answer("/icons/wave.svg", with: .text(Pictures.square, type: "image/svg+xml"))
    server.answer("/icons/moon.png", with: HTTPResponse(body: Data(Pictures.jpeg)))
    server.answer("/icons/sun.jpg", with: HTTPResponse(body: Data(Pictures.jpeg)))
    let app = try TestApp(server, height: 26)
    try await app.waitUntilLoaded()
    try await app.waitForImages()
    #expect(app.text == ScreenTexts.loaded)
  }

  @Test func aWheelTurnsWhileTheListIsAwaited() async throws {
    let gate = server.hold("/sites.json")
    let app = try TestApp(server)
    let wheel = try #require(
      app.app.window.shownViews.lazy.compactMap { $0 as? LoadingWheel }.first)
    #expect(app.text.hasSuffix("Loading sites"))
    var frames: Set<Character> = []
    try await app.wait(for: "the wheel to turn") {
      frames.insert(app.lines[1].first!)
      return frames.count > 2
    }
    #expect(wheel.isAnimating)
    gate.open()
    try await app.waitUntilLoaded()
    #expect(!app.text.contains("Loading sites"))
    #expect(!wheel.isAnimating)
  }

  @Test func eachFrameOfTheWheelComesInTurn() {
    let wheel = LoadingWheel("Loading")
    wheel.frame = .init(x: 0, y: 0, width: 9, height: 1)
    var frames = ""
    for _ in 0..<11 {
      frames.append(wheel.renderedText().first!)
      wheel.advance()
    }
    #expect(frames == "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⠋")
  }

  @Test func theSortButtonGoesThroughAllStatesAndBackToTheOriginal() async throws {
    let app = try TestApp(server, height: 30)
    try await app.waitUntilLoaded()
    let original = app.names
    var seen: [String: [String]] = [:]
    for title in ["Sort: none", "Sort: A–Z", "Sort: Z–A", "Sort: address"] {
      #expect(app.lines[0].hasSuffix("[ \(title) ]"))
      seen[title] = app.names
      try app.tap(title)
    }
    #expect(
      seen["Sort: A–Z"] == ["almanac", "Moon", "Night trains", "Old press", "Tide tables", "Zoo"])
    #expect(seen["Sort: Z–A"] == seen["Sort: A–Z"]?.reversed())
    // All of them have the server's host, but the one without an address.
    #expect(seen["Sort: address"]?.last == "Old press")
    #expect(app.lines[0].hasSuffix("[ Sort: none ]"))
    #expect(app.names == original)
  }

  @Test func anErrorIsShownWithAWayToTryAgain() async throws {
    server.answer("/sites.json", with: .status(500))
    let app = try TestApp(server)
    try await app.waitUntilLoaded()
    #expect(
      app.text == """
        Sites [ Sort: none ]
        The server answered with status 500.
        [ Try again ]
        """)
    server.answer("/sites.json", with: nil)
    try app.tap("Try again")
    #expect(app.text.contains("Loading sites"))
    try await app.waitUntilLoaded()
    #expect(app.names.first == "Tide tables")
    #expect(!app.text.contains("500"))
    #expect(app.app.window.button("Try again") == nil)
  }

  @Test func malformedJSONIsSaidInWords() async throws {
    server.answer("/sites.json", with: .text(#"[{"name": "A"}]"#))
    let app = try TestApp(server)
    try await app.waitUntilLoaded()
    #expect(
      app.lines[1...2].joined(separator: " ")
        == "The server's answer makes no sense: no “url” at 0.")
  }

  @Test func aListWithoutSitesSaysSo() async throws {
    server.answer("/sites.json", with: .text("[]"))
    let app = try TestApp(server)
    try await app.waitUntilLoaded()
    #expect(app.text == "Sites [ Sort: none ]\nThere are no sites.")
  }

  @Test func pullingTheListDownAsksForItAgain() async throws {
    let app = try TestApp(server, height: 34)
    try await app.waitUntilLoaded()
    server.add(.init(name: "Brand new", url: "/zoo", icon: "", description: "Just added"))
    app.pull(1)
    #expect(!app.model.isLoading)
    app.pull(2)
    #expect(app.text.contains("Loading sites"))
    #expect(app.names.first == "Tide tables")
    #expect(app.table.contentOffset == .zero)
    try await app.waitUntilLoaded()
    #expect(app.names.last == "Brand new")
    #expect(server.paths.filter { $0 == "/sites.json" }.count == 2)
  }

  @Test func aRefreshKeepsTheOrderThatWasChosen() async throws {
    let app = try TestApp(server, height: 34)
    try await app.waitUntilLoaded()
    try app.tap("Sort: none")
    server.add(.init(name: "Bees", url: "/zoo", icon: "", description: "Just added"))
    app.pull(2)
    try await app.waitUntilLoaded()
    #expect(app.names.prefix(3) == ["almanac", "Bees", "Moon"])
  }

  @Test func pullingWhileTheListIsAwaitedAsksOnlyOnce() async throws {
    let gate = server.hold("/sites.json")
    let app = try TestApp(server)
    for _ in 0..<3 { app.pull(2) }
    gate.open()
    try await app.waitUntilLoaded()
    #expect(server.paths.filter { $0 == "/sites.json" }.count == 1)
  }

  @Test func theListSpeaksTheLanguageOfTheDevice() async throws {
    let app = try TestApp(server, language: "bg")
    #expect(app.text == "Сайтове [ Ред: без ]\n⠋ Сайтовете се зареждат")
    try await app.waitUntilLoaded()
    try app.tap("Ред: без")
    #expect(app.lines[0] == "Сайтове [ Ред: А–Я ]")
    server.answer("/sites.json", with: .status(503))
    app.pull(2)
    try await app.waitUntilLoaded()
    #expect(app.lines[1] == "Запазени сайтове. Сървърът отговори със статус")
  }
}

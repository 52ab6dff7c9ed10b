import AffinityTesting
import Foundation
import LoopbackHTTP
import SitesServer
import Testing

@testable import Sites

/// A site's page inside the app, and the ways around it.
@MainActor @Suite(.affinityChecked) struct BrowserScreenTests {
  private let server: SiteServer

  init() throws { server = try SiteServer() }

  private func open(_ name: String, config: [String: Any] = [:]) async throws -> TestApp {
    let app = try TestApp(server, height: 30, config: config)
    try await app.waitUntilLoaded()
    try app.tapRow(name)
    return app
  }

  private func waitForPage(_ app: TestApp) async throws {
    try await app.wait(for: "the page") { app.browser?.model.isLoading == false }
  }

  @Test func aTapOpensTheSiteOverTheList() async throws {
    let gate = server.hold("/tides")
    let app = try await open("Tide tables")
    #expect(app.lines[0] == server.address(of: "tides").absoluteString)
    #expect(app.lines[1].hasSuffix("Loading"))
    gate.open()
    try await waitForPage(app)
    #expect(app.lines.prefix(9) == ScreenTexts.tides.prefix(9))
    #expect(app.lines.suffix(2) == ScreenTexts.tides.suffix(2))
    try app.tap("Done")
    #expect(app.browser == nil)
    #expect(app.lines[0].hasPrefix("Sites"))
    #expect(app.names.first == "Tide tables")
  }

  @Test func linksLeadOnAndBackLeadsBack() async throws {
    let app = try await open("Tide tables")
    try await waitForPage(app)
    try app.tap("1")
    try await waitForPage(app)
    #expect(app.lines[0] == "Moon")
    #expect(app.lines[1] == "Waxing. Back to the tides [1].")
    try app.tap("Back")
    try await waitForPage(app)
    #expect(app.lines[0] == "Tide tables")
    #expect(app.app.window.button("Back") == nil)
    #expect(server.paths.filter { $0 == "/tides" }.count == 2)
  }

  @Test func reloadShowsWhatHasChanged() async throws {
    let app = try await open("almanac")
    try await waitForPage(app)
    #expect(app.lines[1] == "Sow beans.")
    server.answer("/almanac", with: .text("<p>Harvest beans.", type: "text/html"))
    try app.tap("Reload")
    try await waitForPage(app)
    #expect(app.lines[0] == server.address(of: "almanac").absoluteString)
    #expect(app.lines[1] == "Harvest beans.")
  }

  @Test func aPageThatIsGoneIsSaidAndCanBeReloaded() async throws {
    server.answer("/zoo", with: .status(404))
    let app = try await open("Zoo")
    try await waitForPage(app)
    #expect(app.lines[1] == "The server answered with status 404.")
    server.answer("/zoo", with: nil)
    try app.tap("Reload")
    try await waitForPage(app)
    #expect(app.lines[1] == "Closed on Mondays.")
    #expect(!app.text.contains("404"))
  }

  @Test func anEmptyPageIsSaidToBeNone() async throws {
    server.answer("/zoo", with: HTTPResponse())
    let app = try await open("Zoo")
    try await waitForPage(app)
    #expect(app.lines[1] == "The page cannot be shown.")
  }

  @Test func linksAreRelativeToWhereThePageWasFoundInTheEnd() async throws {
    server.answer("/zoo", with: .redirect(to: "/deep/folder/page"))
    server.answer(
      "/deep/folder/page", with: .text("<a href='next'>next</a>", type: "text/html"))
    let app = try await open("Zoo")
    try await waitForPage(app)
    #expect(app.browser?.model.page?.links.map(\.path) == ["/deep/folder/next"])
  }

  @Test func anAnswerThatIsNotAwaitedAnyMoreIsNotShown() async throws {
    let gate = server.hold("/moon")
    let app = try await open("Tide tables")
    try await waitForPage(app)
    try app.tap("1")
    try app.tap("Back")
    try await waitForPage(app)
    gate.open()
    try await app.wait(for: "the late answer") { self.server.paths.contains("/moon") }
    #expect(app.lines[0] == "Tide tables")
  }

  @Test func aSiteWithoutAnAddressIsNotOpenedAndSaysWhy() async throws {
    let app = try await open("Old press")
    #expect(app.browser == nil)
    #expect(app.lines[1] == "This is no web address: htp:/nowhere")
    #expect(app.app.window.button("Try again") == nil)
    #expect(app.names.contains("Old press"))
  }

  @Test func theSystemsBrowserOpensASiteWhereTheConfigurationSaysSo() async throws {
    let app = try await open("Moon", config: ["OpensSitesInApp": false])
    #expect(app.browser == nil)
    #expect(app.openedOutside == [server.address(of: "moon")])
  }

  @Test func thePageCanBeOpenedInTheSystemsBrowser() async throws {
    let app = try await open("Moon")
    try app.tap("Open in browser")
    #expect(app.openedOutside == [server.address(of: "moon")])
  }
}

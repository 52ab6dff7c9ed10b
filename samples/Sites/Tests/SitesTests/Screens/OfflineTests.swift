import AffinityTesting
import Foundation
import LoopbackHTTP
import SitesServer
import Testing

@testable import Sites

/// What is left when the server cannot be reached.
@MainActor @Suite(.affinityChecked) struct OfflineTests {
  private let server: SiteServer

  init() throws { server = try SiteServer() }

  /// Runs the app once with the server, so that all is saved, and stops the server.
  private func savedRun() async throws -> TestApp {
    let app = try TestApp(server, height: 26)
    try await app.waitUntilLoaded()
    try await app.waitForImages()
    server.stop()
    return app
  }

  @Test func sitesAndImagesAreThereWithoutTheServer() async throws {
    let first = try await savedRun()
    let app = try TestApp(server, folder: first.folder, height: 27)
    try await app.waitUntilLoaded()
    try await app.waitForImages()
    #expect(app.lines[1] == "Saved sites. The server cannot be reached.")
    #expect(app.names == first.names)
    for name in ["Tide tables", "Moon", "almanac"] {
      #expect(app.row(name)?.phase == first.row(name)?.phase)
    }
    #expect(app.app.window.button("Try again") == nil)
  }

  @Test func aRefreshThatFailsLeavesWhatIsShown() async throws {
    let app = try await savedRun()
    let names = app.names
    app.pull(2)
    try await app.waitUntilLoaded()
    try await app.waitForImages()
    #expect(app.names == names)
    #expect(app.lines[1] == "Saved sites. The server cannot be reached.")
    guard case .success = app.row("Moon")?.phase else {
      Issue.record("the image is gone: \(String(describing: app.row("Moon")?.phase))")
      return
    }
  }

  @Test func theServersNewestTakesThePlaceOfWhatWasSaved() async throws {
    let first = try TestApp(server)
    try await first.waitUntilLoaded()
    server.answer("/sites.json", with: .status(503))
    let app = try TestApp(server, folder: first.folder)
    try await app.waitUntilLoaded()
    #expect(app.model.areSaved)
    server.answer("/sites.json", with: .text("[]"))
    app.pull(2)
    try await app.waitUntilLoaded()
    #expect(app.text == "Sites [ Sort: none ]\nThere are no sites.")
    server.stop()
    let later = try TestApp(server, folder: first.folder)
    try await later.waitUntilLoaded()
    #expect(later.names.isEmpty)
  }

  @Test func damagedFilesAreAsGoodAsNone() async throws {
    let first = try await savedRun()
    let files = try #require(
      FileManager.default.enumerator(at: first.folder.url, includingPropertiesForKeys: nil))
    var damaged = 0
    for case let file as URL in files where !file.hasDirectoryPath {
      try Data("nonsense".utf8).write(to: file)
      damaged += 1
    }
    #expect(damaged == 4)
    let app = try TestApp(server, folder: first.folder)
    try await app.waitUntilLoaded()
    #expect(
      app.text == """
        Sites [ Sort: none ]
        The server cannot be reached.
        [ Try again ]
        """)
  }

  @Test func aMalformedAnswerFallsBackOnWhatWasSavedToo() async throws {
    let first = try TestApp(server)
    try await first.waitUntilLoaded()
    server.answer("/sites.json", with: .text("{"))
    let app = try TestApp(server, folder: first.folder)
    try await app.waitUntilLoaded()
    #expect(app.model.areSaved)
    #expect(app.model.sites == first.model.sites)
  }
}

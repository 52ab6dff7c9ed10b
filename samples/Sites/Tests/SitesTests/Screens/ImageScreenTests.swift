import AffinityTesting
import Foundation
import LoopbackHTTP
import SitesServer
import Testing

@testable import Sites

/// How good and bad images are shown in their rows.
@MainActor @Suite(.affinityChecked) struct ImageScreenTests {
  private let server: SiteServer

  init() throws { server = try SiteServer() }

  @Test(arguments: [
    ("Night trains", ImageError.malformedAddress), ("Old press", .requestFailed(.status(404))),
  ])
  func anImageThatCannotBeHadIsSaidToBeMissing(name: String, error: ImageError) async throws {
    let app = try TestApp(server, height: 30)
    try await app.waitUntilLoaded()
    try await app.waitForImages()
    let row = try #require(app.row(name))
    #expect(row.phase == .failure(error))
    #expect(row.renderedText().split(separator: "\n")[1].hasPrefix("no image"))
  }

  @Test func aPageInPlaceOfAnImageIsRefused() async throws {
    let app = try TestApp(server, height: 30)
    try await app.waitUntilLoaded()
    try await app.waitForImages()
    guard case .failure(.undrawable(let reason)) = app.row("Zoo")?.phase else {
      Issue.record("\(String(describing: app.row("Zoo")?.phase))")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test(arguments: ["Tide tables", "Moon", "almanac"])
  func svgAndPNGAndJPEGAreDrawn(name: String) async throws {
    let app = try TestApp(server, height: 30)
    try await app.waitUntilLoaded()
    try await app.waitForImages()
    guard case .success(let bitmap) = app.row(name)?.phase else {
      Issue.record("\(String(describing: app.row(name)?.phase))")
      return
    }
    #expect(bitmap.braille().joined().contains { $0 != "⠀" })
  }

  @Test func anImageOnItsWayHasAPlaceholder() async throws {
    let gate = server.hold("/icons/wave.svg")
    let app = try TestApp(server)
    try await app.waitUntilLoaded()
    #expect(app.row("Tide tables")?.renderedText().hasPrefix("⣀⣀⣀⣀⣀⣀⣀⣀  Tide tables") == true)
    gate.open()
    try await app.waitForImages()
    #expect(app.row("Tide tables")?.renderedText().hasPrefix("⣀⣀⣀⣀⣀⣀⣀⣀") == false)
  }

  @Test func aLateImageIsNotShownInTheRowThatTookItsPlace() async throws {
    let gate = server.hold("/icons/wave.svg")
    let app = try TestApp(server, height: 7)
    try await app.waitUntilLoaded()
    #expect(app.names == ["Tide tables"] || app.names == ["Tide tables", "Moon"])
    app.table.drag(by: .init(x: 0, y: 12))
    #expect(!app.names.contains("Tide tables"))
    #expect(app.names.contains("Night trains"))
    gate.open()
    app.table.drag(by: .init(x: 0, y: -12))
    try await app.waitForImages()
    app.table.drag(by: .init(x: 0, y: 12))
    try await app.waitForImages()
    #expect(app.row("Night trains")?.phase == .failure(.malformedAddress))
  }

  @Test func aRefreshAsksForTheImagesAnewAndARelaunchDoesNot() async throws {
    let app = try TestApp(server, height: 30)
    try await app.waitUntilLoaded()
    try await app.waitForImages()
    let again = try TestApp(server, folder: app.folder, height: 30)
    try await again.waitUntilLoaded()
    try await again.waitForImages()
    #expect(server.paths.filter { $0 == "/icons/moon.png" }.count == 1)
    server.answer("/icons/moon.png", with: HTTPResponse(body: Data(Pictures.jpeg)))
    let old = again.row("Moon")?.phase
    again.pull(2)
    try await again.waitUntilLoaded()
    try await again.waitForImages()
    #expect(server.paths.filter { $0 == "/icons/moon.png" }.count == 2)
    #expect(again.row("Moon")?.phase != old)
    // Once is enough, however often the rows are shown.
    try again.tap("Sort: none")
    try await again.waitForImages()
    #expect(server.paths.filter { $0 == "/icons/moon.png" }.count == 2)
  }
}

import Foundation
import FoundationNetworking
import HeadlessUI
import SampleSupport
import SitesServer
import Synchronization
import Testing

@testable import Sites

/// The app on a screen that a test sees, with a folder of its own.
@MainActor
final class TestApp {
  let folder: ScratchFolder
  let app: SitesApp
  private let services: Services
  private let outside = Outside()

  /// Addresses that were opened in the system's browser.
  final class Outside: Sendable {
    let addresses = Mutex<[URL]>([])
  }

  /// The app with a server's list.
  convenience init(
    _ server: SiteServer, language: String = "en", folder: ScratchFolder = ScratchFolder(),
    height: Int = 16, config: [String: Any] = [:],
    answering: NetworkingService.Answering = .onMain
  ) throws {
    let values = ["APIEndpoint": server.endpoint.absoluteString].merging(config) { $1 }
    try self.init(
      URLSession.withoutCache(), language: language, folder: folder, height: height,
      config: values, answering: answering)
  }

  /// The app with whatever carries its requests.
  init(
    _ transport: any Transport, language: String = "en", folder: ScratchFolder = ScratchFolder(),
    height: Int = 16, config: [String: Any] = [:],
    answering: NetworkingService.Answering = .onMain, archive: (any SiteKeeping)? = nil
  ) throws {
    self.folder = folder
    let outside = outside
    var services = Services(
      config: try Samples.config(config), transport: transport, folder: folder.url,
      localization: Localization(preferring: [language]), answering: answering,
      openOutside: { address in outside.addresses.withLock { $0.append(address) } })
    if let archive { services.sites = archive }
    self.services = services
    app = SitesApp(services, size: Size(width: 50, height: height))
  }

  var model: SiteListViewModel { app.list.model }
  var table: TableView { app.list.listView.table }
  var openedOutside: [URL] { outside.addresses.withLock { $0 } }
  var browser: BrowserController? { app.list.presentedViewController as? BrowserController }

  /// What is on the screen, the frame left out.
  var lines: [String] {
    app.window.renderedText().split(separator: "\n").dropFirst().dropLast().map {
      String($0.dropFirst().dropLast()).trimmingSuffix(" ")
    }
  }

  var text: String { lines.joined(separator: "\n").trimmingSuffix("\n") }

  /// The names of the rows on the screen, from above.
  var names: [String] {
    _ = text
    return table.visibleCells.compactMap(\.accessibilityLabel)
  }

  /// The row of a site, if it is on the screen.
  func row(_ name: String) -> SiteRowView? {
    _ = text
    return table.first(labelled: name) as? SiteRowView
  }

  func tap(_ button: String) throws {
    _ = text
    try #require(app.window.button(button), "no button “\(button)” on\n\(text)").tap()
  }

  func tapRow(_ name: String) throws {
    let found = try #require(row(name), "no row “\(name)” on\n\(text)")
    table.selectRow(at: try #require(table.indexPath(for: found)))
  }

  /// Pulls the list down as far, and lets it go.
  func pull(_ lines: Int) { table.pullDown(by: lines) }

  /// Lets the main queue go on until something holds, and gives up after a long time.
  func wait(
    for what: String, location: SourceLocation = #_sourceLocation, until holds: () -> Bool
  ) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !holds() {
      if ContinuousClock.now > end {
        try #require(holds(), "waited too long for \(what):\n\(text)", sourceLocation: location)
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Waits until the list is there, and saved.
  func waitUntilLoaded() async throws {
    try await wait(for: "the sites") { !self.model.isLoading }
    // The archive does one thing after the other.
    await withCheckedContinuation { continuation in
      services.sites.load { _ in continuation.resume() }
    }
  }

  /// Waits until no image on the screen is on its way any more.
  func waitForImages() async throws {
    try await wait(for: "the images") {
      _ = self.text
      let rows = self.table.visibleCells.compactMap { $0 as? SiteRowView }
      return !rows.isEmpty && rows.allSatisfy { $0.phase != .loading && $0.phase != nil }
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    String(self[..<(lastIndex { $0 != character }.map(index(after:)) ?? startIndex)])
  }
}

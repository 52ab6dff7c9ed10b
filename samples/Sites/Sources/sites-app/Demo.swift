import Foundation
import FoundationNetworking
import HeadlessUI
import SampleStage
import SampleSupport
import Sites
import SitesServer

/// The server, the files and the launches of the program.
@MainActor
final class Demo {
  let server: SiteServer
  /// What happens in the world while the app runs.
  let news = Catalogue.Entry(
    name: "Bees", url: "/zoo", icon: "/icons/wave.svg", description: "Added while you looked")

  private let stage: Stage
  private let folder: URL
  private let config: AppConfigService

  init(_ stage: Stage) throws {
    self.stage = stage
    server = try SiteServer()
    // Beside the log, so that a crash leaves nothing anywhere else.
    folder = URL(fileURLWithPath: stage.options.log + ".files")
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    config = try Self.config(server.endpoint, in: folder)
  }

  /// The property list that comes with the app names a fixed port; the server's is another each time.
  private static func config(_ endpoint: URL, in folder: URL) throws -> AppConfigService {
    let file = folder.appending(path: "Config.plist")
    try PropertyListSerialization.data(
      fromPropertyList: ["APIEndpoint": endpoint.absoluteString], format: .xml, options: 0
    ).write(to: file)
    return try AppConfigService(contentsOf: file)
  }

  /// Launches the app, with the bug if that is asked for.
  ///
  /// - Parameters:
  ///   - device: Names a folder of its own for what the app keeps.
  ///   - height: How many lines the screen has.
  func launch(
    language: String, on device: String = "device", height: Int = 18
  ) throws -> SitesApp {
    let files = folder.appending(path: device)
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let app = SitesApp(
      Services(
        config: config, transport: URLSession.withoutCache(), folder: files,
        localization: Localization(preferring: [language]),
        answering: stage.options.bug ? .whereItArrives : .onMain),
      size: Size(width: 56, height: height))
    stage.application.window = app.window
    stage.application.launch()
    return app
  }

  /// Waits until the list is there, or an error is.
  func wait(for app: SitesApp) async throws {
    try await stage.wait { !app.list.model.isLoading }
  }

  /// Waits until the list is there and no image on the screen is on its way any more.
  func waitForRows(of app: SitesApp) async throws {
    try await wait(for: app)
    try await stage.wait {
      _ = app.window.renderedText()
      let rows = app.list.listView.table.visibleCells.compactMap { $0 as? SiteRowView }
      return !rows.isEmpty && !rows.contains(where: \.isWaitingForImage)
    }
  }

  /// Taps a row and waits for its page, if it has one.
  func open(_ name: String, in app: SitesApp) async throws {
    let table = app.list.listView.table
    guard let row = table.first(labelled: name) as? TableViewCell,
      let place = table.indexPath(for: row)
    else { return }
    table.selectRow(at: place)
    guard let browser = app.list.presentedViewController as? BrowserController else { return }
    try await stage.wait { !browser.model.isLoading }
  }

  /// Removes what the app has kept.
  func removeFiles() { try? FileManager.default.removeItem(at: folder) }
}

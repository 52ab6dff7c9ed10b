import Foundation
import FoundationNetworking
import HeadlessUI
import SampleStage
import Sites
import SitesServer

/// Shows the list as it loads, sorts it, opens a site, and goes on when the server is gone.
Stage.run { stage in
  let server = try SiteServer()
  let folder = FileManager.default.temporaryDirectory.appending(path: "sites-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let config = folder.appending(path: "Config.plist")
  try PropertyListSerialization.data(
    fromPropertyList: ["APIEndpoint": server.endpoint.absoluteString], format: .xml, options: 0
  ).write(to: config)

  let app = try SitesApp(
    Services(
      config: AppConfigService(contentsOf: config),
      transport: URLSession.withoutCache(), folder: folder,
      localization: Localization(preferred: ["en"]),
      answering: stage.options.bug ? .whereItArrives : .onMain))
  stage.application.window = app.window
  stage.application.launch()
  stage.show("launched", app.window)
  try await stage.wait { !app.list.model.isLoading }
  stage.show("loaded", app.window)
}

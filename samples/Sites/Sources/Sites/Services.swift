import Foundation

/// What the screens work with, made once.
public struct Services: Sendable {
  let config: AppConfigService
  let network: any SiteFetching
  var sites: any SiteKeeping
  let images: ImageLoader
  let pages: PageLoader
  let localization: Localization
  let openOutside: @Sendable (URL) -> Void

  /// Makes the services.
  ///
  /// - Parameters:
  ///   - config: What the app's property list says.
  ///   - transport: What carries all requests.
  ///   - folder: Where sites and images are kept.
  ///   - localization: The app's texts.
  ///   - answering: Where the sites are answered.
  ///   - openOutside: Shows an address in the system's browser.
  public init(
    config: AppConfigService, transport: any Transport, folder: URL, localization: Localization,
    answering: NetworkingService.Answering = .onMain,
    openOutside: @escaping @Sendable (URL) -> Void = { _ in }
  ) {
    self.config = config
    network = NetworkingService(config: config, transport: transport, answering: answering)
    sites = SiteArchive(archive: FileArchive(folder: folder.appending(path: "sites")))
    images = ImageLoader(
      transport: transport,
      archive: FileArchive(folder: folder.appending(path: "images"), limit: config.imageCacheBytes),
      timeout: config.timeout)
    pages = PageLoader(transport: transport, timeout: config.timeout)
    self.localization = localization
    self.openOutside = openOutside
  }
}

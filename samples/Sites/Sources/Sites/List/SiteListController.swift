import Foundation
import HeadlessUI

/// The first screen: the list under its title and its sort button, and the way to a site's page.
public final class SiteListController: ViewController, @unchecked Sendable {
  /// What the list shows.
  public let model: SiteListViewModel
  /// The list.
  public let listView: SiteListView

  private let services: Services

  /// A screen that begins to load as soon as it is shown.
  init(_ services: Services) {
    self.services = services
    model = SiteListViewModel(
      service: services.network, archive: services.sites, localization: services.localization)
    listView = SiteListView(
      model: model, images: services.images, localization: services.localization)
    super.init()
    title = services.localization(.title)
  }

  /// The list.
  public override func makeView() -> View { listView }

  /// Asks for the sites.
  public override func viewDidLoad() {
    listView.onOpen = { [weak self] site in self?.open(site) }
    model.loadSites()
  }

  /// Puts the sort button into the bar.
  public override func viewWillAppear() {
    navigationController?.rightButton = listView.sortButton
  }

  /// Shows a site: inside the app, or wherever the system shows sites.
  private func open(_ site: Site) {
    guard let address = model.address(of: site) else { return }
    if services.config.opensSitesInApp {
      present(BrowserController(address, services))
    } else {
      services.openOutside(address)
    }
  }
}

import Foundation
import HeadlessUI

/// Shows a site's page over the list, until it is done with.
public final class BrowserController: ViewController, @unchecked Sendable {
  /// What is shown.
  public let model: BrowserModel

  private let services: Services

  /// A screen that fetches the page at an address as soon as it is shown.
  init(_ address: URL, _ services: Services) {
    self.services = services
    model = BrowserModel(
      address, pages: services.pages, localization: services.localization)
    super.init()
  }

  /// The page.
  public override func makeView() -> View {
    BrowserView(
      model: model, localization: services.localization,
      close: { [weak self] in self?.dismiss() }, openOutside: services.openOutside)
  }

  /// Fetches the page.
  public override func viewDidLoad() { model.load() }
}

import HeadlessUI

/// The app: a window with the list of sites in it.
public final class SitesApp: Sendable {
  /// What is seen.
  public let window: Window
  /// The first screen.
  public let list: SiteListController

  /// Makes the app and shows its first screen, which begins to load.
  public init(_ services: Services, size: Size = Size(width: 56, height: 22)) {
    window = Window(size: size)
    list = SiteListController(services)
    window.rootViewController = NavigationController(root: list)
  }
}

import HeadlessUI
import Synchronization

/// The app: the list, and above it the details that are opened from it.
package final class SquadApp: Sendable {
  package let list: HeroListController
  package let navigation: NavigationController
  /// What belongs into the window.
  package let root: ViewController
  private let surroundings: Surroundings

  package init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    let opener = Opener()
    list = HeroListController(surroundings) { hero in opener.open.withLock { $0 }?(hero) }
    navigation = NavigationController(root: list)
    root = Shell(navigation)
    opener.open.withLock { open in
      open = { [weak navigation] hero in
        navigation?.pushViewController(HeroDetailController(hero, surroundings))
      }
    }
  }

  /// The detail that is shown, if one is.
  package var detail: HeroDetailController? {
    navigation.topViewController as? HeroDetailController
  }

  /// What a window shows, for a terminal that has the theme's colors.
  package func painted(_ window: Window) -> String {
    ScreenColors(of: window).painted(window.renderedText(), in: surroundings.theme)
  }

  /// The list is made before what it opens details in.
  private final class Opener: Sendable {
    let open = Mutex<(@Sendable (Superhero) -> Void)?>(nil)
  }
}

/// What is around every screen: the status bar, in the navigation bar's color.
private final class Shell: ViewController, @unchecked Sendable {
  private let navigation: NavigationController

  init(_ navigation: NavigationController) {
    self.navigation = navigation
    super.init()
    addChild(navigation)
  }

  override func makeView() -> View { ShellView(navigation.view) }
}

/// A status bar above the rest.
private final class ShellView: TintedView, @unchecked Sendable {
  private let status = Label("9:41")
  private let content: View

  init(_ content: View) {
    self.content = content
    super.init(.bar)
    status.textAlignment = .right
    addSubview(status)
    addSubview(content)
  }

  override func layoutSubviews() {
    status.frame = Rect(x: 0, y: 0, width: frame.width, height: 1)
    content.frame = bounds.inset(by: Insets(top: 1))
  }
}

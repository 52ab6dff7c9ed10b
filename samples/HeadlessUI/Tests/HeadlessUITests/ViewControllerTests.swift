import AffinityTesting
import HeadlessUI
import Testing

@MainActor
@Suite(.affinityChecked) struct ViewControllerTests {
  private final class Screen: ViewController, @unchecked Sendable {
    var told: [String] = []

    init(_ title: String) {
      super.init()
      self.title = title
    }

    override func makeView() -> View { Label("this is \(title)") }
    override func viewDidLoad() { told.append("load") }
    override func viewWillAppear() { told.append("will appear") }
    override func viewDidAppear() { told.append("did appear") }
    override func viewWillDisappear() { told.append("will disappear") }
    override func viewDidDisappear() { told.append("did disappear") }
  }

  private let first: Screen
  private let second: Screen
  private let window: Window

  // By hand: the initializer that Swift would write runs on no actor, and so off the main queue.
  init() {
    first = Screen("one")
    second = Screen("two")
    window = Window(size: Size(width: 20, height: 5))
  }

  @Test func aRootControllerLoadsAndAppears() {
    window.rootViewController = first
    #expect(first.told == ["load", "will appear", "did appear"])
    #expect(window.renderedText().contains("│this is one"))
  }

  @Test func pushingAndPoppingTellBothControllers() {
    let navigation = NavigationController(root: first)
    window.rootViewController = navigation
    navigation.pushViewController(second)
    #expect(first.told.suffix(2) == ["will disappear", "did disappear"])
    #expect(window.renderedText().contains("│[ ‹ ] two"))
    window.button("‹")?.tap()
    #expect(
      second.told == [
        "load", "will appear", "did appear", "will disappear", "did disappear",
      ])
    #expect(first.told.suffix(2) == ["will appear", "did appear"])
    #expect(window.renderedText().contains("│one "))
  }

  @Test func oneControllerIsNotPushedTwice() {
    let navigation = NavigationController(root: first)
    window.rootViewController = navigation
    #expect(navigation.pushViewController(second))
    #expect(!navigation.pushViewController(second))
    #expect(navigation.viewControllers.count == 2)
  }

  @Test func whatIsPresentedCoversTheWindowUntilItIsDismissed() {
    window.rootViewController = first
    #expect(first.present(second))
    #expect(!first.present(Screen("three")))
    #expect(!first.isVisible)
    #expect(window.renderedText().contains("this is two"))
    #expect(!window.renderedText().contains("this is one"))
    second.dismiss()
    #expect(first.isVisible)
    #expect(window.renderedText().contains("this is one"))
  }
}

import ThreadAffinity

/// Shows the top of a stack of controllers, below a bar with its title and the way back.
open class NavigationController: ViewController, @unchecked Sendable {
  private let bar = StackView(.horizontal, spacing: 1)
  private let back = Button("‹")
  private let titleLabel = Label()

  /// A stack of one controller.
  public init(root: ViewController) {
    super.init()
    addChild(root)
  }

  /// From the root to what is seen.
  public var viewControllers: [ViewController] { children }

  /// The controller that is seen.
  public var topViewController: ViewController? { children.last }

  /// A button at the right end of the bar.
  @MainQueueBound("NavigationController.rightButton") public var rightButton: Button? = nil {
    didSet {
      if let oldValue { bar.removeArrangedSubview(oldValue) }
      if let rightButton { bar.addArrangedSubview(rightButton) }
    }
  }

  open override var childrenToTell: [ViewController] { children.suffix(1) }

  open override func makeView() -> View { NavigationView(bar: bar) }

  open override func viewDidLoad() {
    back.onTap = { [weak self] in self?.popViewController() }
    bar.addArrangedSubview(back)
    bar.addArrangedSubview(titleLabel)
    view.addSubview(bar)
    showTop()
  }

  /// Shows another on top; the same one twice in a row is refused.
  @discardableResult
  public func pushViewController(_ controller: ViewController) -> Bool {
    expectMainQueue("NavigationController.pushViewController(_:)")
    guard !children.contains(where: { $0 === controller }) else { return false }
    let covered = topViewController
    covered?.setVisible(false)
    covered?.view.removeFromSuperview()
    addChild(controller)
    showTop()
    if isVisible { controller.setVisible(true) }
    return true
  }

  /// Takes the top away, and shows what was below it.
  @discardableResult
  public func popViewController() -> ViewController? {
    expectMainQueue("NavigationController.popViewController()")
    guard children.count > 1, let top = topViewController else { return nil }
    top.removeFromParent()
    top.view.removeFromSuperview()
    showTop()
    if isVisible { topViewController?.setVisible(true) }
    return top
  }

  /// Shows the title that the top controller has by now.
  public func updateTitle() {
    expectMainQueue("NavigationController.updateTitle()")
    titleLabel.text = topViewController?.title ?? ""
  }

  private func showTop() {
    guard isViewLoaded, let top = topViewController else { return }
    back.isHidden = children.count == 1
    view.insertSubview(top.view, at: 0)
    updateTitle()
  }
}

/// A bar above a content.
private final class NavigationView: View, @unchecked Sendable {
  private let bar: View

  init(bar: View) {
    self.bar = bar
    super.init()
  }

  override func layoutSubviews() {
    let room = contentBounds
    bar.frame = Rect(x: room.minX, y: room.minY, width: room.width, height: 1)
    for content in subviews where content !== bar {
      content.frame = room.inset(by: Insets(top: 1))
    }
  }
}

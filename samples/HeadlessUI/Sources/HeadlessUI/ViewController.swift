import ThreadAffinity

/// What is behind a screen: makes its view, and hears when it is shown and hidden.
///
/// `@unchecked Sendable`, and its subclasses with it: a controller belongs to the main queue, which
/// `@MainQueueBound`, `expectMainQueue` and its views check while the program runs.
open class ViewController: @unchecked Sendable {
  /// What bars call it.
  @MainQueueBound("ViewController.title") public var title = ""
  /// The controllers in it.
  @MainQueueBound("ViewController.children") public private(set) var children: [ViewController] = []
  /// What it shows over the whole window.
  @MainQueueBound("ViewController.presentedViewController")
  public private(set) var presentedViewController: ViewController? = nil
  /// Whether it is shown.
  @MainQueueBound("ViewController.isVisible") public private(set) var isVisible = false
  /// The controller it is in.
  public var parent: ViewController? {
    expectMainQueue("ViewController.parent")
    return container
  }
  /// The controller that presents it.
  public var presentingViewController: ViewController? {
    expectMainQueue("ViewController.presentingViewController")
    return presenter
  }
  private weak var container: ViewController?
  private weak var presenter: ViewController?
  private var loadedView: View?

  /// A controller without a view yet.
  public init() { expectMainQueue("\(type(of: self)).init") }

  /// Its view, which is made when somebody asks for it.
  public var view: View {
    expectMainQueue("ViewController.view")
    if let loadedView { return loadedView }
    let view = makeView()
    loadedView = view
    viewDidLoad()
    return view
  }

  /// Whether somebody has asked for its view.
  public var isViewLoaded: Bool {
    expectMainQueue("ViewController.isViewLoaded")
    return loadedView != nil
  }

  /// The navigation controller that it is in.
  public var navigationController: NavigationController? {
    parent as? NavigationController ?? parent?.navigationController
  }

  /// Makes the view; a plain one unless overridden.
  open func makeView() -> View { View() }

  open func viewDidLoad() {}
  open func viewWillAppear() {}
  open func viewDidAppear() {}
  open func viewWillDisappear() {}
  open func viewDidDisappear() {}

  // MARK: - Appearance

  /// Shows or hides it, as a container does with a child: it and its children hear of each change once.
  public func setVisible(_ visible: Bool) {
    guard visible != isVisible else { return }
    if visible {
      _ = view
      viewWillAppear()
    } else {
      viewWillDisappear()
    }
    isVisible = visible
    for child in childrenToTell { child.setVisible(visible) }
    if visible { viewDidAppear() } else { viewDidDisappear() }
  }

  /// The children that are shown when it is; a container that shows one of several says which.
  open var childrenToTell: [ViewController] { children }

  // MARK: - Children

  /// Makes another its child; where its view stands is the caller's to say.
  public func addChild(_ child: ViewController) {
    expectMainQueue("ViewController.addChild(_:)")
    child.removeFromParent()
    children.append(child)
    child.container = self
  }

  /// Hides it and takes it out of its parent.
  public func removeFromParent() {
    expectMainQueue("ViewController.removeFromParent()")
    guard let parent = container else { return }
    setVisible(false)
    parent.children.removeAll { $0 === self }
    container = nil
  }

  // MARK: - Presentation

  /// Shows another over the whole window; refused, as by UIKit, where one is presented already.
  @discardableResult
  public func present(_ other: ViewController) -> Bool {
    expectMainQueue("ViewController.present(_:)")
    guard presentedViewController == nil, let window = view.window else { return false }
    presentedViewController = other
    other.presenter = self
    window.addSubview(other.view)
    window.setNeedsLayout()
    setVisible(false)
    other.setVisible(true)
    return true
  }

  /// Takes away what this one presents; else asks who presents it to do so.
  public func dismiss() {
    expectMainQueue("ViewController.dismiss()")
    guard let presented = presentedViewController else {
      (presenter ?? container)?.dismiss()
      return
    }
    presented.dismissPresented()
    presented.setVisible(false)
    presented.view.removeFromSuperview()
    presented.presenter = nil
    presentedViewController = nil
    setVisible(true)
  }

  private func dismissPresented() { if presentedViewController != nil { dismiss() } }
}

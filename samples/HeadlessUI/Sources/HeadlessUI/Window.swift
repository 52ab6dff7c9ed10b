import Dispatch
import ThreadAffinity

/// The screen: lays its views out at the end of each turn of the main queue that changed something.
public final class Window: View, @unchecked Sendable {
  /// Lays out all that is in this window.
  public let engine = LayoutEngine()
  private var isPassScheduled = false

  /// What the screen's edges take: a notch, round corners, a bar to swipe at.
  @MainQueueBound("Window.screenEdges") public var screenEdges = Insets.zero {
    didSet { setNeedsLayout() }
  }

  /// What the window shows.
  @MainQueueBound("Window.rootViewController") public var rootViewController: ViewController? = nil
  {
    didSet {
      oldValue?.setVisible(false)
      oldValue?.view.removeFromSuperview()
      guard let rootViewController else { return }
      addSubview(rootViewController.view)
      rootViewController.setVisible(true)
    }
  }

  /// - Parameter size: How many characters it is wide and high, its frame included.
  public init(size: Size = Size(width: 44, height: 14), title: String = "") {
    super.init(frame: Rect(origin: .zero, size: size))
    isBordered = true
    accessibilityLabel = title
  }

  override var enclosingWindow: Window? { self }

  public override func layoutSubviews() {
    for view in subviews { view.frame = contentBounds }
  }

  func schedulePass() {
    if isPassScheduled { return }
    isPassScheduled = true
    DispatchQueue.main.async { [weak self] in
      self?.finishPass()
    }
  }

  /// Makes the pass that is still to come at the end of this turn, if one is, at once.
  func finishPass() {
    if !isPassScheduled { return }
    isPassScheduled = false
    layoutIfNeeded()
  }
}

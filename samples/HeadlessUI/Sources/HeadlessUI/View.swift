import ThreadAffinity

/// A rectangle of the screen.
///
/// `@unchecked Sendable`, and its subclasses with it: a view belongs to the main queue, as UIKit's do, and
/// `@MainQueueBound` and `expectMainQueue` check that while the program runs.
open class View: @unchecked Sendable {
  private var placedFrame: Rect
  private var isLeftOut = false

  /// Where it is in its superview.
  public var frame: Rect {
    get {
      expectMainQueue("View.frame")
      return placedFrame
    }
    set {
      expectMainQueue("View.frame")
      let isResized = newValue.size != placedFrame.size
      placedFrame = newValue
      if isResized { setNeedsLayout() }
    }
  }
  /// Which of its own points is drawn at its upper left corner; scrolling moves it.
  @MainQueueBound("View.bounds") var boundsOrigin = Point.zero
  /// Whether it is left out of drawing and of stacks.
  public var isHidden: Bool {
    get {
      expectMainQueue("View.isHidden")
      return isLeftOut
    }
    set {
      expectMainQueue("View.isHidden")
      guard newValue != isLeftOut else { return }
      isLeftOut = newValue
      invalidateIntrinsicContentSize()
    }
  }
  /// Whether a line is drawn around it; its content then begins inside of that.
  @MainQueueBound("View.isBordered") public var isBordered = false {
    didSet { invalidateIntrinsicContentSize() }
  }
  /// What a screen reader says, and tests look for.
  @MainQueueBound("View.accessibilityLabel") public var accessibilityLabel: String? = nil
  /// The views in it, from the back to the front.
  @MainQueueBound("View.subviews") public internal(set) var subviews: [View] = []
  /// The view it is in, for those who have checked already.
  weak var container: View?
  /// Whether it will be laid out in the next pass.
  var needsLayout = true

  /// A view at a place in its superview.
  public init(frame: Rect = .zero) {
    placedFrame = frame
    expectMainQueue("\(type(of: self)).init")
  }

  /// Its own rectangle, in its own coordinates.
  public var bounds: Rect { Rect(origin: boundsOrigin, size: frame.size) }

  /// The rectangle its content may take.
  public var contentBounds: Rect {
    isBordered ? bounds.inset(by: Insets(all: 1)) : bounds
  }

  /// The view it is in.
  public var superview: View? {
    expectMainQueue("View.superview")
    return container
  }

  /// The window it is in, if it is in one.
  public var window: Window? {
    expectMainQueue("View.window")
    return enclosingWindow
  }

  /// The window it is in, for those who have checked already.
  var enclosingWindow: Window? { container?.enclosingWindow }

  /// The size it would like to have, given so much room.
  open func sizeThatFits(_ room: Size) -> Size { frame.size }

  /// Places its subviews; to be overridden, and called by the layout pass only.
  open func layoutSubviews() {}

  /// Draws itself, without its subviews.
  open func draw(on canvas: Canvas) {
    if isBordered { canvas.drawBox(title: accessibilityLabel ?? "") }
  }
}

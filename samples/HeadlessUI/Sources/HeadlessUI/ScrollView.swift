import ThreadAffinity

/// Shows a part of something larger.
open class ScrollView: View, @unchecked Sendable {
  /// How large what it shows is.
  @MainQueueBound("ScrollView.contentSize") public var contentSize = Size.zero
  /// How much further than its content it can be scrolled.
  @MainQueueBound("ScrollView.contentInset") public var contentInset = Insets.zero {
    didSet { setNeedsLayout() }
  }
  /// Whether it comes to rest at multiples of its own size only.
  @MainQueueBound("ScrollView.isPagingEnabled") public var isPagingEnabled = false

  private weak var listener: (any ScrollViewDelegate)?

  /// Hears of scrolling, and may choose where it comes to rest.
  public var scrollDelegate: (any ScrollViewDelegate)? {
    get {
      expectMainQueue("ScrollView.scrollDelegate")
      return listener
    }
    set {
      expectMainQueue("ScrollView.scrollDelegate")
      listener = newValue
    }
  }

  /// The point of its content that is seen at its upper left corner.
  public var contentOffset: Point {
    get { boundsOrigin }
    set {
      expectMainQueue("ScrollView.contentOffset")
      guard newValue != boundsOrigin else { return }
      boundsOrigin = newValue
      setNeedsLayout()
      listener?.scrollViewDidScroll(self)
    }
  }

  /// Whether it keeps its content out of what the screen's edges take.
  @MainQueueBound("ScrollView.adjustsForSafeArea") public var adjustsForSafeArea = true

  /// The inset that is in force: its own, and what the screen's edges take.
  open var adjustedContentInset: Insets {
    adjustsForSafeArea ? contentInset + safeAreaInsets : contentInset
  }

  /// Does what a finger does that drags the content and lets it go.
  ///
  /// - Parameter distance: How far it is moved; positive is towards what comes later.
  public func drag(by distance: Point) {
    expectMainQueue("ScrollView.drag(by:)")
    let dragged = Point(x: contentOffset.x + distance.x, y: contentOffset.y + distance.y)
    var target = limited(isPagingEnabled ? page(nearest: dragged) : dragged)
    listener?.scrollViewWillEndDragging(self, targetContentOffset: &target)
    contentOffset = limited(target)
  }

  /// The nearest place that can be scrolled to.
  public func limited(_ offset: Point) -> Point {
    let inset = adjustedContentInset
    let right = max(-inset.left, contentSize.width + inset.right - frame.width)
    let bottom = max(-inset.top, contentSize.height + inset.bottom - frame.height)
    return Point(
      x: min(max(offset.x, -inset.left), right), y: min(max(offset.y, -inset.top), bottom))
  }

  private func page(nearest offset: Point) -> Point {
    Point(
      x: Self.multiple(of: frame.width, nearest: offset.x),
      y: Self.multiple(of: frame.height, nearest: offset.y))
  }

  private static func multiple(of length: Int, nearest value: Int) -> Int {
    guard length > 0 else { return value }
    return (Double(value) / Double(length)).roundedToInt * length
  }
}

extension Double {
  fileprivate var roundedToInt: Int { Int(rounded()) }
}

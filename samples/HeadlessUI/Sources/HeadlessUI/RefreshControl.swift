import ThreadAffinity

/// Waits above the content of a scroll view for a finger to pull it down, and then asks for a refresh.
///
/// It becomes the scroll view's by being added to it, and draws nothing: what shows that something is
/// under way is the screen's own.
public final class RefreshControl: View, @unchecked Sendable {
  /// How many lines it must be pulled down.
  public static let distance = 2

  /// What a pull does.
  @MainQueueBound("RefreshControl.onRefresh") public var onRefresh: (() -> Void)? = nil

  /// A control that does this when it is pulled.
  public init(onRefresh: (() -> Void)? = nil) {
    super.init()
    self.onRefresh = onRefresh
  }
}

extension ScrollView {
  /// Does what a finger does that pulls the content down and lets it go: first comes what is above, and
  /// the rest of the way pulls the refresh control, if there is one. The content then springs back.
  ///
  /// - Parameter lines: How far the finger goes.
  public func pullDown(by lines: Int) {
    expectMainQueue("ScrollView.pullDown(by:)")
    let above = contentOffset.y + adjustedContentInset.top
    drag(by: Point(x: 0, y: -min(lines, above)))
    guard lines - above >= RefreshControl.distance else { return }
    subviews.lazy.compactMap { $0 as? RefreshControl }.first?.onRefresh?()
  }
}

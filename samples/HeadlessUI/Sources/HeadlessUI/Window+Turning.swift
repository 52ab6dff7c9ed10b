import ThreadAffinity

extension Window {
  /// Does what somebody does who turns the screen: it has another size, other edges are taken, and all
  /// that is shown is laid out anew.
  public func turn(to size: Size, screenEdges edges: Insets = .zero) {
    expectMainQueue("Window.turn(to:screenEdges:)")
    frame = Rect(origin: frame.origin, size: size)
    screenEdges = edges
    for view in shownViews { view.setNeedsLayout() }
    layoutIfNeeded()
  }
}

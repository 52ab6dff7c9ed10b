import ThreadAffinity

extension View {
  /// Asks for `layoutSubviews()` in the next pass, which the window makes at the end of the turn.
  public func setNeedsLayout() {
    expectMainQueue("View.setNeedsLayout()")
    enclosingWindow?.engine.enter()
    needsLayout = true
    enclosingWindow?.schedulePass()
  }

  /// Says that the size it would like to have has changed: all around it is laid out anew.
  public func invalidateIntrinsicContentSize() {
    setNeedsLayout()
    var view = container
    while let next = view {
      next.needsLayout = true
      view = next.container
    }
  }

  /// Lays out at once what needs it.
  public func layoutIfNeeded() {
    expectMainQueue("View.layoutIfNeeded()")
    guard let window = enclosingWindow else { return layOutTree() }
    window.engine.layOut(window)
  }

  /// Lays out this view and all below it, where they need it.
  func layOutTree() {
    if needsLayout {
      needsLayout = false
      layoutSubviews()
    }
    for view in subviews { view.layOutTree() }
  }
}

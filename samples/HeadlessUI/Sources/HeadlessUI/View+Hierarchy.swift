import ThreadAffinity

extension View {
  /// Puts a view in front of all others in it.
  public func addSubview(_ view: View) { insertSubview(view, at: subviews.count) }

  /// - Parameter index: Its place from the back to the front.
  public func insertSubview(_ view: View, at index: Int) {
    expectMainQueue("View.addSubview(_:)")
    view.removeFromSuperview()
    subviews.insert(view, at: min(index, subviews.count))
    view.container = self
    view.invalidateIntrinsicContentSize()
  }

  /// Takes it out of the view it is in.
  public func removeFromSuperview() {
    expectMainQueue("View.removeFromSuperview()")
    guard let superview = container else { return }
    superview.subviews.removeAll { $0 === self }
    container = nil
    superview.invalidateIntrinsicContentSize()
  }

  /// This view and all below it that are shown, from the back to the front.
  public var shownViews: [View] {
    isHidden ? [] : [self] + subviews.flatMap(\.shownViews)
  }

  /// The first shown view of that label; what tests look for.
  public func first(labelled label: String) -> View? {
    shownViews.first { $0.accessibilityLabel == label }
  }

  /// The first shown button of that title.
  public func button(_ title: String) -> Button? {
    shownViews.lazy.compactMap { $0 as? Button }.first { $0.title == title }
  }
}

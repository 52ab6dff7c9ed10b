/// Hears of a scroll view's moves.
public protocol ScrollViewDelegate: AnyObject {
  func scrollViewDidScroll(_ scrollView: ScrollView)

  /// The finger has left the screen: where the view comes to rest is `target`, and may be changed.
  func scrollViewWillEndDragging(_ scrollView: ScrollView, targetContentOffset target: inout Point)
}

extension ScrollViewDelegate {
  /// Does nothing.
  public func scrollViewDidScroll(_ scrollView: ScrollView) {}

  /// Leaves the target where it is.
  public func scrollViewWillEndDragging(
    _ scrollView: ScrollView, targetContentOffset target: inout Point
  ) {}
}

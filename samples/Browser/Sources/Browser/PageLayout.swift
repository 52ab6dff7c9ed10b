import HeadlessUI

/// Where the pages of a browser stand, and where scrolling comes to rest; knows no views.
///
/// A page is as wide as the screen between what its edges take, so that nothing of it is behind a notch.
/// A scroll view's own paging goes by the width of the whole screen, which is the same only where nothing
/// is taken: upright, and not in landscape.
struct PageLayout: Hashable {
  /// How much is seen at once.
  let viewport: Size
  /// What the screen's edges take of that.
  let insets: Insets
  let pages: Int

  /// How wide a page is.
  var pageWidth: Int { max(1, viewport.width - insets.left - insets.right) }

  /// Characters between two pages: neighbours at rest are out of sight, in front of the edges too.
  var gap: Int { max(insets.left, insets.right) }

  /// From a page to the next.
  var stride: Int { pageWidth + gap }

  /// How large all pages together are.
  var contentSize: Size {
    Size(width: max(0, pages * stride - gap), height: viewport.height)
  }

  /// Where a page stands in the content.
  ///
  /// - Parameter keepsClear: Whether it stays clear of the upper and the lower edge as well; content
  ///   that scrolls runs behind them, and keeps clear of them by itself.
  func frame(ofPage page: Int, keepsClear: Bool) -> Rect {
    let whole = Rect(x: page * stride, y: 0, width: pageWidth, height: viewport.height)
    return keepsClear ? whole.inset(by: Insets(top: insets.top, bottom: insets.bottom)) : whole
  }

  /// The offset at which a page is between the edges.
  func offset(ofPage page: Int) -> Point { Point(x: page * stride - insets.left) }

  /// The page that is seen most of at an offset; 0 where there is none.
  func page(at offset: Point) -> Int {
    let middle = offset.x + insets.left + stride / 2
    return min(max(0, middle >= 0 ? middle / stride : 0), max(0, pages - 1))
  }

  /// The offset to come to rest at for a proposed one: that of the nearest page, but of none further
  /// than a neighbour of the one where the finger came down.
  func targetOffset(forProposed offset: Point, from page: Int) -> Point {
    let nearest = self.page(at: offset)
    return self.offset(ofPage: min(max(nearest, page - 1), page + 1))
  }
}

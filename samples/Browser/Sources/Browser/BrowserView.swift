import HeadlessUI

/// The pages side by side, of which one is seen.
final class BrowserView: ScrollView, @unchecked Sendable {
  /// The views of the pages that have one.
  private var pageViews: [Int: View] = [:]
  /// How many pages there are.
  var pages = 0 { didSet { setNeedsLayout() } }
  /// The page that is seen, and stays so when the screen is turned.
  var page = 0
  private var layout = PageLayout(viewport: .zero, insets: .zero, pages: 0)
  private(set) var isTurning = false

  /// The layout that is in force, brought up to date.
  func currentLayout() -> PageLayout {
    PageLayout(viewport: frame.size, insets: safeAreaInsets, pages: pages)
  }

  func setPageView(_ view: View?, at page: Int) {
    if let old = pageViews.removeValue(forKey: page) { old.removeFromSuperview() }
    guard let view else { return }
    pageViews[page] = view
    addSubview(view)
  }

  override var adjustedContentInset: Insets {
    let insets = safeAreaInsets
    return Insets(left: insets.left, right: insets.right)
  }

  override func layoutSubviews() {
    let current = currentLayout()
    contentSize = current.contentSize
    if current != layout {
      layout = current
      turn(to: current.offset(ofPage: page))
    }
    for (page, view) in pageViews {
      let keepsClear = !((view as? ScrollView)?.adjustsForSafeArea ?? false)
      view.frame = current.frame(ofPage: page, keepsClear: keepsClear)
    }
  }

  /// Keeps the page though all offsets have changed; nobody has scrolled.
  private func turn(to offset: Point) {
    isTurning = true
    contentOffset = offset
    isTurning = false
  }
}

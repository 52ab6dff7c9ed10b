import HeadlessUI
import ThreadAffinity

/// Shows views in a stack that scrolls.
package class ScrollableStackController: ViewController, @unchecked Sendable {
  /// What it shows them in.
  package let scroll: ScrollableStackView

  package init(spacing: Int = 0) {
    scroll = ScrollableStackView(spacing: spacing)
    super.init()
  }

  package override func makeView() -> View { scroll }

  /// Shows these views in place of all others.
  package func setViews(_ views: [View]) {
    expectMainQueue("ScrollableStackController.setViews(_:)")
    for view in scroll.stack.arrangedSubviews { scroll.stack.removeArrangedSubview(view) }
    for view in views { scroll.stack.addArrangedSubview(view) }
    scroll.setNeedsLayout()
  }
}

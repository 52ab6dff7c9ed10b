import HeadlessUI

/// Views below each other, as wide as there is room, to scroll where they are too high together.
package final class ScrollableStackView: ScrollView, @unchecked Sendable {
  /// What is scrolled.
  package let stack = StackView(.vertical)

  package init(spacing: Int = 0) {
    super.init()
    stack.spacing = spacing
    addSubview(stack)
  }

  package override func layoutSubviews() {
    let insets = adjustedContentInset
    let width = max(0, frame.width - insets.left - insets.right)
    let height = stack.sizeThatFits(Size(width: width, height: 0)).height
    stack.frame = Rect(x: 0, y: 0, width: width, height: height)
    let isAtTop = contentOffset.y <= 0 || contentSize == .zero
    contentSize = Size(width: width, height: height)
    let place = isAtTop ? Point(x: -insets.left, y: -insets.top) : contentOffset
    contentOffset = limited(Point(x: -insets.left, y: place.y))
  }

  /// Beside the screen nothing is taken: a page that waits there is laid out as it will be seen.
  package override var adjustedContentInset: Insets {
    var insets = super.adjustedContentInset
    if insets.left + insets.right >= frame.width {
      insets.left = 0
      insets.right = 0
    }
    return insets
  }
}

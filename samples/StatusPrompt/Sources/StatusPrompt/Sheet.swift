import HeadlessUI

/// A modal screen: its views below each other, in a box that hides what is behind it.
final class Sheet: StackView, @unchecked Sendable {
  init(_ title: String, _ views: [View]) {
    super.init(.vertical, spacing: 1, views)
    accessibilityLabel = title
    isBordered = true
  }

  override func draw(on canvas: Canvas) {
    canvas.fill(" ")
    super.draw(on: canvas)
  }
}

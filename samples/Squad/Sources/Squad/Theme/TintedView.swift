import HeadlessUI

/// A surface of one color; what is on it is placed by a closure.
package class TintedView: View, Tinted, @unchecked Sendable {
  package let tint: Tint

  package init(_ tint: Tint) {
    self.tint = tint
    super.init()
  }
}

/// A line from edge to edge.
package final class Divider: View, @unchecked Sendable {
  package override func sizeThatFits(_ room: Size) -> Size { Size(width: room.width, height: 1) }

  package override func draw(on canvas: Canvas) {
    canvas.draw(String(repeating: "─", count: frame.width), at: .zero)
  }
}

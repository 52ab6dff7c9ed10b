import HeadlessUI

/// A button that shows when a finger is on it.
package final class ActionButton: Button, Tinted, @unchecked Sendable {
  private let kind: Tint
  private var isPressed = false

  /// It never grows beyond this, however large the screen.
  package static let widest = 24

  package init(_ title: String = "", _ kind: Tint, onTap: @escaping () -> Void) {
    self.kind = kind
    super.init(title, onTap: onTap)
  }

  package var tint: Tint { isPressed ? .highlight : kind }

  /// A finger goes down on it.
  package func press() { isPressed = isEnabled }

  /// The finger goes up again, which taps it.
  package func release() {
    let wasPressed = isPressed
    isPressed = false
    if wasPressed { tap() }
  }

  package override func sizeThatFits(_ room: Size) -> Size {
    Size(width: min(title.count + 4, room.width, Self.widest), height: 1)
  }
}

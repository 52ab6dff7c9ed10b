import ThreadAffinity

/// Does something when it is tapped.
open class Button: View, @unchecked Sendable {
  /// What it says.
  @MainQueueBound("Button.title") public var title = "" {
    didSet { invalidateIntrinsicContentSize() }
  }
  /// Whether a tap does anything.
  @MainQueueBound("Button.isEnabled") public var isEnabled = true
  /// What a tap does.
  @MainQueueBound("Button.onTap") public var onTap: (() -> Void)? = nil

  /// A button and what a tap does.
  public init(_ title: String = "", frame: Rect = .zero, onTap: (() -> Void)? = nil) {
    super.init(frame: frame)
    self.title = title
    self.onTap = onTap
  }

  /// Does what a finger does; nothing where the button is hidden or disabled.
  public func tap() {
    expectMainQueue("Button.tap()")
    if isEnabled && !isHidden { onTap?() }
  }

  open override func sizeThatFits(_ room: Size) -> Size {
    Size(width: min(title.count + 4, room.width), height: 1)
  }

  open override func draw(on canvas: Canvas) {
    canvas.draw(isEnabled ? "[ \(title) ]" : "( \(title) )", at: .zero)
  }
}

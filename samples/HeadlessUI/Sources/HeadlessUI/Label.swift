import ThreadAffinity

/// Text on one line or several.
open class Label: View, @unchecked Sendable {
  /// Where in its room a line stands.
  public enum Alignment: Sendable, Hashable {
    case left, center, right
  }

  /// What it says.
  @MainQueueBound("Label.text") public var text = "" {
    didSet { invalidateIntrinsicContentSize() }
  }
  /// How many lines it may take; 0 is as many as it needs.
  @MainQueueBound("Label.numberOfLines") public var numberOfLines = 1 {
    didSet { invalidateIntrinsicContentSize() }
  }
  /// Where in its room each line stands.
  @MainQueueBound("Label.textAlignment") public var textAlignment = Alignment.left

  /// A label of a text.
  public init(_ text: String = "", lines: Int = 1, frame: Rect = .zero) {
    super.init(frame: frame)
    self.text = text
    numberOfLines = lines
  }

  open override func sizeThatFits(_ room: Size) -> Size {
    let edge = isBordered ? 2 : 0
    let lines = lines(width: room.width - edge)
    return Size(
      width: (lines.map(\.count).max() ?? 0) + edge, height: lines.count + edge)
  }

  open override func draw(on canvas: Canvas) {
    super.draw(on: canvas)
    let room = contentBounds
    for (row, line) in lines(width: room.width).prefix(room.height).enumerated() {
      let rest = room.width - line.count
      let indent =
        switch textAlignment {
        case .left: 0
        case .center: rest / 2
        case .right: rest
        }
      canvas.draw(line, at: Point(x: room.minX + indent, y: room.minY + row))
    }
  }

  private func lines(width: Int) -> [String] {
    TextLines.wrap(text, width: width, limit: numberOfLines)
  }
}

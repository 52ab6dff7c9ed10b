import ThreadAffinity

/// How far something has come, as a bar. A new value is drawn, and leaves the layout alone.
open class ProgressView: View, @unchecked Sendable {
  /// How far it has come, from 0 to 1.
  @MainQueueBound("ProgressView.progress") public var progress = 0.0

  /// A bar that has come so far.
  public init(_ progress: Double = 0, frame: Rect = .zero) {
    super.init(frame: frame)
    self.progress = progress
  }

  open override func sizeThatFits(_ room: Size) -> Size { Size(width: room.width, height: 1) }

  open override func draw(on canvas: Canvas) {
    super.draw(on: canvas)
    let width = contentBounds.width
    let done = Int((min(max(progress, 0), 1) * Double(width)).rounded())
    let bar = String(repeating: "█", count: done) + String(repeating: "░", count: width - done)
    canvas.draw(bar, at: contentBounds.origin)
  }
}

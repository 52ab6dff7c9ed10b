import ThreadAffinity

/// Shows an image in the room it was given; a new image of the same size leaves the layout alone.
open class ImageView: View, @unchecked Sendable {
  /// What it shows.
  @MainQueueBound("ImageView.image") public var image: Image? = nil {
    didSet { container?.needsLayout = true }
  }

  /// A view of an image.
  public init(_ image: Image? = nil, frame: Rect = .zero) {
    super.init(frame: frame)
    self.image = image
  }

  open override func sizeThatFits(_ room: Size) -> Size { image?.size ?? frame.size }

  open override func draw(on canvas: Canvas) {
    super.draw(on: canvas)
    for (row, line) in (image?.rows ?? []).enumerated() {
      canvas.draw(line, at: Point(x: contentBounds.minX, y: contentBounds.minY + row))
    }
  }
}

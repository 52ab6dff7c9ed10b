extension View {
  /// Draws this view and all below it where they stand in their superview.
  func render(on canvas: Canvas) {
    guard !isHidden else { return }
    let own = canvas.part(frame)
    draw(on: own)
    let inner =
      isBordered
      ? own.part(Rect(origin: .zero, size: frame.size).inset(by: Insets(all: 1)))
        .moved(by: Point(x: -1, y: -1)) : own
    let shifted = inner.moved(by: Point(x: -boundsOrigin.x, y: -boundsOrigin.y))
    for view in subviews { view.render(on: shifted) }
  }

  /// Lays out what needs it, and shows this view as text, a line each row.
  public func renderedText() -> String {
    layoutIfNeeded()
    let canvas = Canvas(size: frame.size)
    render(on: canvas.moved(by: Point(x: -frame.minX, y: -frame.minY)))
    return canvas.text
  }
}

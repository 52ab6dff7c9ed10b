extension View {
  /// Where it is in its window's coordinates; in its own where it is in none.
  public var frameInWindow: Rect {
    var rect = frame
    var view = container
    while let next = view {
      rect = rect.offset(by: Point(x: -next.boundsOrigin.x, y: -next.boundsOrigin.y))
      if next is Window { break }
      rect = rect.offset(by: next.frame.origin)
      view = next.container
    }
    return rect
  }

  /// How far it reaches into what the screen's edges take.
  public var safeAreaInsets: Insets {
    guard let window, window !== self else { return .zero }
    let safe = window.contentBounds.inset(by: window.screenEdges)
    let place = frameInWindow
    return Insets(
      top: max(0, min(safe.minY - place.minY, place.height)),
      left: max(0, min(safe.minX - place.minX, place.width)),
      bottom: max(0, min(place.maxY - safe.maxY, place.height)),
      right: max(0, min(place.maxX - safe.maxX, place.width)))
  }
}

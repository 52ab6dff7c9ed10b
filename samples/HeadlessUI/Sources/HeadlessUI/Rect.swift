/// A rectangle of a screen of characters.
public struct Rect: Sendable, Hashable {
  /// Its upper left corner.
  public var origin: Point
  /// How large it is.
  public var size: Size

  /// A rectangle of characters.
  public init(x: Int = 0, y: Int = 0, width: Int = 0, height: Int = 0) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// A rectangle of characters.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// A rectangle without any room.
  public static let zero = Rect()

  /// Its first column.
  public var minX: Int { origin.x }
  /// Its first row.
  public var minY: Int { origin.y }
  /// The column behind its last.
  public var maxX: Int { origin.x + size.width }
  /// The row below its last.
  public var maxY: Int { origin.y + size.height }
  /// Columns.
  public var width: Int { size.width }
  /// Rows.
  public var height: Int { size.height }
  /// Whether it has no room.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// What two rectangles share; empty where that is nothing.
  public func intersection(_ other: Rect) -> Rect {
    let x = max(minX, other.minX)
    let y = max(minY, other.minY)
    return Rect(
      x: x, y: y, width: max(0, min(maxX, other.maxX) - x),
      height: max(0, min(maxY, other.maxY) - y))
  }

  /// The same rectangle, moved.
  public func offset(by point: Point) -> Rect {
    Rect(origin: Point(x: minX + point.x, y: minY + point.y), size: size)
  }

  /// What is left of it inside of distances from its edges.
  public func inset(by insets: Insets) -> Rect {
    Rect(
      x: minX + insets.left, y: minY + insets.top,
      width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }
}

/// A rectangle of a screen of characters.
public struct Rect: Sendable, Hashable {
  public var origin: Point
  public var size: Size

  public init(x: Int = 0, y: Int = 0, width: Int = 0, height: Int = 0) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  public static let zero = Rect()

  public var minX: Int { origin.x }
  public var minY: Int { origin.y }
  public var maxX: Int { origin.x + size.width }
  public var maxY: Int { origin.y + size.height }
  public var width: Int { size.width }
  public var height: Int { size.height }
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// What two rectangles share; empty where that is nothing.
  public func intersection(_ other: Rect) -> Rect {
    let x = max(minX, other.minX)
    let y = max(minY, other.minY)
    return Rect(
      x: x, y: y, width: max(0, min(maxX, other.maxX) - x),
      height: max(0, min(maxY, other.maxY) - y))
  }

  public func offset(by point: Point) -> Rect {
    Rect(origin: Point(x: minX + point.x, y: minY + point.y), size: size)
  }

  public func inset(by insets: Insets) -> Rect {
    Rect(
      x: minX + insets.left, y: minY + insets.top,
      width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }
}

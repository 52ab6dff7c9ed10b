/// A place on a screen of characters: columns from the left, rows from the top.
public struct Point: Sendable, Hashable {
  public var x: Int
  public var y: Int

  public init(x: Int = 0, y: Int = 0) {
    self.x = x
    self.y = y
  }

  public static let zero = Point()
}

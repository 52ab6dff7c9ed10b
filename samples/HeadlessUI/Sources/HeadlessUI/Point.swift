/// A place on a screen of characters: columns from the left, rows from the top.
public struct Point: Sendable, Hashable {
  /// Columns from the left.
  public var x: Int
  /// Rows from the top.
  public var y: Int

  /// A place so many columns and rows away.
  public init(x: Int = 0, y: Int = 0) {
    self.x = x
    self.y = y
  }

  /// The upper left corner.
  public static let zero = Point()
}

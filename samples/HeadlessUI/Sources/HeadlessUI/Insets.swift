/// Distances from the four edges of a rectangle, inwards.
public struct Insets: Sendable, Hashable {
  /// Rows from the top.
  public var top: Int
  /// Columns from the left.
  public var left: Int
  /// Rows from the bottom.
  public var bottom: Int
  /// Columns from the right.
  public var right: Int

  /// A distance from each edge of its own.
  public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// The same distance from each edge.
  public init(all distance: Int) {
    self.init(top: distance, left: distance, bottom: distance, right: distance)
  }

  /// No distance from any edge.
  public static let zero = Insets()

  /// Both distances from each edge.
  public static func + (one: Insets, other: Insets) -> Insets {
    Insets(
      top: one.top + other.top, left: one.left + other.left, bottom: one.bottom + other.bottom,
      right: one.right + other.right)
  }
}

/// Distances from the four edges of a rectangle, inwards.
public struct Insets: Sendable, Hashable {
  public var top: Int
  public var left: Int
  public var bottom: Int
  public var right: Int

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

  public static let zero = Insets()
}

/// A width and a height, in characters.
public struct Size: Sendable, Hashable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size of so many columns and rows.
  public init(width: Int = 0, height: Int = 0) {
    self.width = width
    self.height = height
  }

  /// No room at all.
  public static let zero = Size()
}

/// A width and a height, in characters.
public struct Size: Sendable, Hashable {
  public var width: Int
  public var height: Int

  public init(width: Int = 0, height: Int = 0) {
    self.width = width
    self.height = height
  }

  public static let zero = Size()
}

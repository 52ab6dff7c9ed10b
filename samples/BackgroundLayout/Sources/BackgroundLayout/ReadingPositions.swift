/// How far each article was read, in lines.
public struct ReadingPositions: Sendable, Hashable, Codable {
  private var lines: [Int: Int] = [:]

  /// Nothing was read.
  public init() {}

  /// The line that an article was left at; nil where it was never opened.
  public subscript(article: Int) -> Int? {
    get { lines[article] }
    set { lines[article] = newValue }
  }

  /// How many articles were opened.
  public var count: Int { lines.count }
}

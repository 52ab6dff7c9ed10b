/// One article, as the server has it.
public struct Article: Sendable, Hashable, Codable {
  /// Its number; newer articles have higher ones.
  public let id: Int
  /// Its headline.
  public let title: String
  /// What it says.
  public let text: String

  /// An article of that number.
  public init(id: Int, title: String, text: String) {
    self.id = id
    self.title = title
    self.text = text
  }
}

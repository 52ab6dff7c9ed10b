/// Something the store sells.
public struct Product: Sendable, Hashable, Codable {
  /// What apps call it.
  public let identifier: String
  /// What people call it.
  public let title: String
  /// What it costs, in cents.
  public let cents: Int

  /// A product at a price.
  public init(identifier: String, title: String, cents: Int) {
    self.identifier = identifier
    self.title = title
    self.cents = cents
  }
}

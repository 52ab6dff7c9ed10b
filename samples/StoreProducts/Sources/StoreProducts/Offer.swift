/// What the app's own server takes off a price.
public struct Offer: Sendable, Hashable, Codable {
  /// The product it is for.
  public let identifier: String
  /// How many cents it takes off.
  public let cents: Int

  /// An offer for a product.
  public init(identifier: String, cents: Int) {
    self.identifier = identifier
    self.cents = cents
  }
}

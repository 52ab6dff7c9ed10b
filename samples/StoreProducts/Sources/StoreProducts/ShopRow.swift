import ProductStore

/// A product as the shop shows it.
public struct ShopRow: Sendable, Hashable {
  /// The store's word.
  public let product: Product
  /// What the app's own server takes off, if anything.
  public let offer: Offer?

  /// The price as people read it, with what it was before.
  public var price: String {
    guard let offer else { return Self.amount(product.cents) }
    return "\(Self.amount(max(0, product.cents - offer.cents))) instead of "
      + Self.amount(product.cents)
  }

  private static func amount(_ cents: Int) -> String {
    let rest = cents % 100
    return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

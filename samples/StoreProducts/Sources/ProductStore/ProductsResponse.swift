/// What the store says of the products it was asked about.
public struct ProductsResponse: Sendable, Hashable, Codable {
  /// The products it sells.
  public let products: [Product]
  /// What it was asked about and does not know.
  public let invalidProductIdentifiers: [String]

  /// An answer of the store's.
  public init(products: [Product], invalidProductIdentifiers: [String]) {
    self.products = products
    self.invalidProductIdentifiers = invalidProductIdentifiers
  }
}

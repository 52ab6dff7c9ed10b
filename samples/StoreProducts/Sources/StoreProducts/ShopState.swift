import ProductStore

/// Where a shop stands: a pure model, which knows no queue and no screen.
public struct ShopState: Sendable, Hashable {
  /// What it is waiting for, or has come to.
  public enum Phase: Sendable, Hashable {
    case idle
    /// The store was asked.
    case asking
    /// The store has answered; the app's own server is asked for offers.
    case pricing
    case open
    case failed(String)
  }

  /// Where it stands.
  public private(set) var phase = Phase.idle
  private var products: [Product] = []
  private var offers: [String: Offer] = [:]
  /// What the store does not know; a mistake of ours.
  public private(set) var unknown: [String] = []

  /// A shop that has not asked yet.
  public init() {}

  /// What is for sale, the cheapest first.
  public var rows: [ShopRow] {
    products.sorted { ($0.cents, $0.identifier) < ($1.cents, $1.identifier) }
      .map { ShopRow(product: $0, offer: offers[$0.identifier]) }
  }

  /// Whether a request is under way.
  public var isBusy: Bool { phase == .asking || phase == .pricing }

  /// The store is asked.
  public mutating func ask() { phase = .asking }

  /// The store has answered; what it sells is priced next.
  public mutating func receive(_ response: ProductsResponse) {
    products = response.products
    unknown = response.invalidProductIdentifiers
    offers = [:]
    phase = products.isEmpty ? .open : .pricing
  }

  /// The app's own server has answered. Without an answer, prices stay as they are.
  public mutating func price(_ outcome: Result<[Offer], any Error>) {
    guard phase == .pricing else { return }
    for offer in (try? outcome.get()) ?? [] { offers[offer.identifier] = offer }
    phase = .open
  }

  /// The store gave no answer.
  public mutating func fail(_ reason: String) { phase = .failed(reason) }

  /// Nothing is waited for any more.
  public mutating func cancel() { if isBusy { phase = .idle } }

  /// The state in a line.
  public var summary: String {
    switch phase {
    case .idle: "closed"
    case .asking: "asking the store …"
    case .pricing: "looking for offers …"
    case .open where rows.isEmpty: "nothing is for sale"
    case .open: "\(rows.count) for sale"
    case .failed(let reason): "the store is closed: \(reason)"
    }
  }
}

import Foundation
public import HeadlessUI
public import ProductStore
import ThreadAffinity

/// Asks the store what is for sale, and the app's own server what it takes off.
///
/// `@unchecked Sendable`: it belongs to the main queue, which `HTTPSession.post` checks. The store calls its
/// delegate elsewhere: with `hops` the shim stands between the two, without it the shop is called where the
/// store likes.
public final class Shop: ProductsRequestDelegate, @unchecked Sendable {
  private let identifiers: Set<String>
  private let store: Store
  private let session: HTTPSession
  private let hops: Bool
  private let application: Application?
  private var request: ProductsRequest?
  private var shim: ProductsRequestDelegateHop?
  private var onChange: (ShopState) -> Void = { _ in }

  /// Where it stands.
  public private(set) var state = ShopState() {
    didSet { onChange(state) }
  }

  /// A shop for these products.
  ///
  /// - Parameter application: Notes when the store is asked, and by whom.
  public init(
    _ identifiers: Set<String>, store: Store, session: HTTPSession, hops: Bool,
    application: Application? = nil
  ) {
    self.identifiers = identifiers
    self.store = store
    self.session = session
    self.hops = hops
    self.application = application
  }

  /// Calls `body` at each change, and now.
  public func observe(_ body: @escaping (ShopState) -> Void) {
    onChange = body
    body(state)
  }

  /// Asks the store; what was asked before is given up.
  public func load() {
    cancel()
    let request = ProductsRequest(productIdentifiers: identifiers, from: store)
    request.delegate = delegate
    self.request = request
    state.ask()
    application?.note("the store is asked")
    request.start()
  }

  /// Gives up: nothing that is still under way changes anything.
  public func cancel() {
    request?.cancel()
    shim?.hop.cancel()
    request = nil
    shim = nil
    state.cancel()
  }

  /// Who the store calls.
  public var delegate: any ProductsRequestDelegate {
    guard hops else { return self }
    let shim = self.shim ?? ProductsRequestDelegateHop(self)
    self.shim = shim
    return shim
  }

  // MARK: - The store's callbacks

  /// Asks for offers by the old stack, and shows what is for sale meanwhile.
  public func productsRequest(_ request: ProductsRequest, didReceive response: ProductsResponse) {
    let identifiers = response.products.map(\.identifier)
    if !identifiers.isEmpty {
      session.post("offers", identifiers) { [weak self] outcome in self?.price(outcome) }
    }
    state.receive(response)
  }

  private func price(_ outcome: Result<Data, any Error>) {
    state.price(
      outcome.flatMap { data in Result { try JSONDecoder().decode([Offer].self, from: data) } })
  }

  /// Lets go of the request.
  public func requestDidFinish(_ request: ProductsRequest) { self.request = nil }

  /// Says why nothing is for sale.
  public func request(_ request: ProductsRequest, didFailWithError error: any Error) {
    self.request = nil
    state.fail("\(error)")
  }
}

public import Foundation
public import LoopbackHTTP
public import ProductStore

/// The store's server and the app's own, on loopback.
public final class ShopServer: Sendable {
  private let server: LoopbackServer

  /// Servers that sell these products and have these offers.
  ///
  /// - Parameter gate: What every answer waits for.
  public init(_ products: [Product], offers: [Offer] = [], gate: Gate? = nil) throws {
    server = try LoopbackServer { request in
      gate?.pass()
      switch request.path {
      case "/products":
        let asked = request.query["ids"]?.split(separator: ",").map(String.init) ?? []
        return .json(
          ProductsResponse(
            products: products.filter { asked.contains($0.identifier) },
            invalidProductIdentifiers: asked.filter { id in
              !products.contains { $0.identifier == id }
            }))
      case "/offers":
        let asked = (try? JSONDecoder().decode([String].self, from: request.body)) ?? []
        return .json(offers.filter { asked.contains($0.identifier) })
      default: return .status(404)
      }
    }
  }

  /// Where both can be reached.
  public var url: URL { server.url }

  /// Refuses everybody from now on.
  public func stop() { server.stop() }
}

import Foundation
import HeadlessUI
import LoopbackHTTP
import ProductStore
import StoreProducts

/// The app, against servers of its own.
@MainActor
final class App {
  let server: ShopServer
  let shop: Shop
  let window = Window(size: Size(width: 44, height: 8), title: "App")

  init(version: Store.Version = .thirteen, hops: Bool, gate: Gate? = nil) throws {
    server = try ShopServer(
      [
        Product(identifier: "month", title: "A month", cents: 299),
        Product(identifier: "year", title: "A year", cents: 2499),
      ], offers: [Offer(identifier: "year", cents: 500)], gate: gate)
    shop = Shop(
      ["month", "year", "forever"], store: Store(url: server.url, version: version),
      session: HTTPSession(base: server.url), hops: hops)
  }

  func open() { window.rootViewController = ShopController(shop) }

  /// Lets the main queue run until something holds; gives up after ten seconds.
  func wait(until holds: @MainActor () -> Bool) async throws {
    for _ in 0..<2000 where !holds() { try await Task.sleep(for: .milliseconds(5)) }
    if !holds() { throw Timeout(shown: window.renderedText()) }
  }

  struct Timeout: Error {
    let shown: String
  }
}

import AffinityTesting
import HeadlessUI
import LoopbackHTTP
import ProductStore
import StoreProducts
import Synchronization
import Testing

/// Storms that know the store's callbacks, and nothing of what is wrong with the shop.
@Suite(.serialized) struct StoreStormTests {
  /// The shop as the store sees it: its delegate, whichever that is.
  @MainActor
  private static func offer(hops: Bool, to scenario: StormScenario) throws {
    // The real store never answers: here the storm is the store.
    let app = try App(hops: hops, gate: Gate())
    let shop = app.shop
    let request = ProductsRequest(productIdentifiers: ["month"], from: Store(url: app.server.url))
    app.open()
    let delegate = shop.delegate
    scenario.callback("products received") { number in
      let product = Product(identifier: "month", title: "A month", cents: number)
      delegate.productsRequest(
        request, didReceive: ProductsResponse(products: [product], invalidProductIdentifiers: []))
    }
    scenario.callback("request finished") { delegate.requestDidFinish(request) }
    scenario.callback("request failed") {
      delegate.request(request, didFailWithError: StoreError("no network"))
    }
    let givenUp = Mutex<ShopState?>(nil)
    scenario.onCancel {
      shop.cancel()
      givenUp.withLock { $0 = shop.state }
    }
    scenario.check("a shop that was given up stays as it is") {
      givenUp.withLock { $0.map { $0 == shop.state } ?? true }
    }
    scenario.check("the screen shows the shop's state") {
      MainActor.assumeIsolated { app.window.renderedText().contains(shop.state.summary) }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func aStormFindsThatTheStoreCallsWhereItLikes(seed: UInt64) async throws {
    let found = try await CallbackStorm(seed: seed, deliveries: 200).findBug(inChildren: true) {
      try await Self.offer(hops: false, to: $0)
    }
    let bug = try #require(found)
    #expect(bug.schedule.steps.count <= 5, "\(bug)")
    #expect(bug.failures > 0, "\(bug)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func noStormFindsAnythingBehindTheShim(seed: UInt64) async throws {
    try await CallbackStorm(seed: seed, deliveries: 200).run(inChildren: true) {
      try await Self.offer(hops: true, to: $0)
    }
  }
}

import AffinityTesting
import LoopbackHTTP
import ProductStore
import StoreProducts
import Synchronization
import Testing

// isolation-trap: Shop.productsRequest(_:didReceive:) (Shop.swift:72) ran on queue
// com.example.store.products; the main queue was expected, and the check ended the process
//   ran closure #1 in ProductsRequest.call(_:) ProductsRequest.swift:69
//   ran closure #1 in ProductsRequest.end(with:) ProductsRequest.swift:60
//   ran Shop.productsRequest(_:didReceive:) Shop.swift:72
//   ran HTTPSession.post<A>(_:_:completion:) HTTPSession.swift:25

/// The shop, in place of the stand-in that `crashscan repro` has written.
@MainActor
private final class Subject {
  private let app: App
  private let delegate: any ProductsRequestDelegate
  private let request: ProductsRequest
  private let wasCalledBack = Atomic(false)

  init(hops: Bool) throws {
    app = try App(hops: hops, gate: Gate())
    app.open()
    delegate = app.shop.delegate
    request = ProductsRequest(productIdentifiers: ["month"], from: Store(url: app.server.url))
  }

  nonisolated func calledBack(_ number: Int) {
    wasCalledBack.store(true, ordering: .relaxed)
    let product = Product(identifier: "month", title: "A month", cents: number)
    delegate.productsRequest(
      request, didReceive: ProductsResponse(products: [product], invalidProductIdentifiers: []))
  }

  /// Whether the shop shows what was called back.
  nonisolated var isRight: Bool {
    MainActor.assumeIsolated {
      let rows = app.shop.state.rows
      return rows.isEmpty != wasCalledBack.load(ordering: .relaxed)
        && rows.allSatisfy {
          app.window.renderedText().contains("\($0.product.title): \($0.price)")
        }
    }
  }
}

@Suite struct ReproProductsRequest {
  private static let storm = CallbackStorm(
    replaying: "on queue: Shop.productsRequest(_:didReceive:)")

  @MainActor
  private static func offer(hops: Bool, to scenario: StormScenario) throws {
    let subject = try Subject(hops: hops)
    scenario.callback("Shop.productsRequest(_:didReceive:)") { number in subject.calledBack(number)
    }
    scenario.check("what was called back is right") { subject.isRight }
  }

  @Test func theBugFailsIt() async throws {
    let bug = try await Self.storm.findBug(inChildren: true) {
      try await Self.offer(hops: false, to: $0)
    }
    #expect(bug?.reason.contains("This method must be called on the main thread.") == true)
  }

  @Test func theFixPassesIt() async throws {
    try await Self.storm.run(inChildren: true) { try await Self.offer(hops: true, to: $0) }
  }
}

import ProductStore
@testable import StoreProducts
import Testing

@Suite struct ShopStateTests {
  private let month = Product(identifier: "month", title: "A month", cents: 299)
  private let year = Product(identifier: "year", title: "A year", cents: 2499)

  private func asked() -> ShopState {
    var state = ShopState()
    state.ask()
    return state
  }

  @Test func itOpensWhenTheStoreAndTheServerHaveAnswered() {
    var state = asked()
    #expect(state.phase == .asking)
    state.receive(ProductsResponse(products: [year, month], invalidProductIdentifiers: []))
    #expect(state.phase == .pricing)
    state.price(.success([Offer(identifier: "year", cents: 500)]))
    #expect(state.phase == .open)
    #expect(state.rows.map(\.price) == ["2.99", "19.99 instead of 24.99"])
  }

  @Test func whatTheStoreDoesNotKnowIsNamedAndNotSold() {
    var state = asked()
    state.receive(ProductsResponse(products: [], invalidProductIdentifiers: ["forever"]))
    #expect(state.phase == .open)
    #expect(state.unknown == ["forever"])
    #expect(state.summary == "nothing is for sale")
  }

  @Test func withoutOffersPricesStayAsTheyAre() {
    var state = asked()
    state.receive(ProductsResponse(products: [month], invalidProductIdentifiers: []))
    state.price(.failure(StoreError("no network")))
    #expect(state.phase == .open)
    #expect(state.rows.map(\.price) == ["2.99"])
  }

  @Test func offersThatComeWhenNobodyWaitsChangeNothing() {
    var state = asked()
    state.receive(ProductsResponse(products: [month], invalidProductIdentifiers: []))
    state.cancel()
    state.price(.success([Offer(identifier: "month", cents: 1)]))
    #expect(state.phase == .idle)
    #expect(state.rows.map(\.price) == ["2.99"])
  }

  @Test func anOfferNeverMakesAPriceNegative() {
    let row = ShopRow(product: month, offer: Offer(identifier: "month", cents: 1000))
    #expect(row.price == "0.00 instead of 2.99")
  }

  @Test func aFailureSaysWhyAndAnotherRequestForgetsIt() {
    var state = asked()
    state.fail("no network")
    #expect(state.summary == "the store is closed: no network")
    state.ask()
    #expect(state.summary == "asking the store …")
  }
}

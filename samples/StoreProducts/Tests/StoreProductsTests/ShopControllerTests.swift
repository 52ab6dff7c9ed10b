import AffinityTesting
import HeadlessUI
import ProductStore
import StoreProducts
import Testing

@MainActor
@Suite(.affinityChecked) struct ShopControllerTests {
  @Test func itShowsWhatIsForSaleAtItsPrice() async throws {
    let app = try App(hops: true)
    app.open()
    try await app.wait { app.shop.state.phase == .open }
    #expect(
      app.window.renderedText() == """
        ┌─ App ────────────────────────────────────┐
        │2 for sale                                │
        │A month: 2.99                             │
        │A year: 19.99 instead of 24.99            │
        │                                          │
        │                                          │
        │                                          │
        └──────────────────────────────────────────┘
        """)
    #expect(app.shop.state.unknown == ["forever"])
  }

  @Test func withoutAStoreItSaysSoAndTriesAgain() async throws {
    let app = try App(hops: true)
    app.server.stop()
    app.open()
    try await app.wait { app.window.button("Try again") != nil }
    #expect(app.window.renderedText().contains("the store is closed:"))
    app.window.button("Try again")?.tap()
    #expect(app.shop.state.phase == .asking)
    try await app.wait { app.window.button("Try again") != nil }
  }

  @Test func whoLeavesTheShopIsToldNothingMore() async throws {
    let app = try App(hops: true)
    app.open()
    app.window.rootViewController = ViewController()
    #expect(app.shop.state.phase == .idle)
    try await Task.sleep(for: .milliseconds(100))
    #expect(app.shop.state.phase == .idle)
  }
}

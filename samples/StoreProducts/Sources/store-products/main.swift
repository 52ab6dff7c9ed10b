import HeadlessUI
import ProductStore
import SampleStage
import StoreProducts

Stage.run { stage in
  let server = try ShopServer(
    [
      Product(identifier: "month", title: "Pro, a month", cents: 299),
      Product(identifier: "year", title: "Pro, a year", cents: 2499),
    ], offers: [Offer(identifier: "year", cents: 500)])
  let shop = Shop(
    ["month", "year", "forever"], store: Store(url: server.url),
    session: HTTPSession(base: server.url), hops: !stage.options.bug, application: stage.application
  )

  let window = Window(size: Size(width: 44, height: 9), title: "App")
  window.rootViewController = NavigationController(root: ShopController(shop))
  stage.application.window = window
  stage.application.launch()
  stage.show("the store is asked what is for sale:", window)
  try await stage.wait { shop.state.phase == .open }
  stage.show("it has answered, and the app's own server has too:", window)
}

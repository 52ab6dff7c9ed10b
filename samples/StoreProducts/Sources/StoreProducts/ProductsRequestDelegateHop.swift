// swift-format-ignore-file
// Made by a machine; to make it anew:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol ProductsRequestDelegate --module ProductStore --output StoreProducts/Sources/StoreProducts/ProductsRequestDelegateHop.swift

import ProductStore
import ThreadAffinity

/// Brings what a `ProductsRequestDelegate` is asked to the main queue, in order, to a target held weakly.
final class ProductsRequestDelegateHop: ProductsRequestDelegate, Sendable {
  /// The way to the target; `cancel()` drops what is pending, and what still comes.
  let hop: MainHop<any ProductsRequestDelegate>

  /// Makes a shim for `target`, which lives as long as others hold it.
  init(
    _ target: any ProductsRequestDelegate, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "ProductsRequestDelegate", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func productsRequest(_ request: ProductsRequest, didReceive response: ProductsResponse) {
    hop.send {
      [request = UncheckedHandover(request), response = UncheckedHandover(response)] target in
      target.productsRequest(request.value, didReceive: response.value)
    }
  }

  func requestDidFinish(_ request: ProductsRequest) {
    hop.send { [request = UncheckedHandover(request)] target in
      target.requestDidFinish(request.value)
    }
  }

  func request(_ request: ProductsRequest, didFailWithError error: any Error) {
    hop.send { [request = UncheckedHandover(request)] target in
      target.request(request.value, didFailWithError: error)
    }
  }
}

// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol ProductsRequestDelegate --module ProductStore --output StoreProducts/Sources/StoreProducts/ProductsRequestDelegateHop.swift

import ProductStore
import ThreadAffinity

/// Moves every call of a `ProductsRequestDelegate` to the main queue, in order. Holds its target weakly.
final class ProductsRequestDelegateHop: ProductsRequestDelegate, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any ProductsRequestDelegate>

  /// Creates a shim for `target`, and holds it weakly.
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
    hop.send { [request = HopArgument(request), response = HopArgument(response)] target in
      target.productsRequest(request.value, didReceive: response.value)
    }
  }

  func requestDidFinish(_ request: ProductsRequest) {
    hop.send { [request = HopArgument(request)] target in
      target.requestDidFinish(request.value)
    }
  }

  func request(_ request: ProductsRequest, didFailWithError error: any Error) {
    hop.send { [request = HopArgument(request)] target in
      target.request(request.value, didFailWithError: error)
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}

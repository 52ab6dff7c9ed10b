/// Hears of a products request.
///
/// Responses may not be returned on a specific thread: whoever takes a queue for granted, crashes with
/// the next system.
public protocol ProductsRequestDelegate: AnyObject, Sendable {
  /// The store has answered.
  func productsRequest(_ request: ProductsRequest, didReceive response: ProductsResponse)

  /// The request is over, and was well.
  func requestDidFinish(_ request: ProductsRequest)

  /// The request is over, and there was no answer.
  func request(_ request: ProductsRequest, didFailWithError error: any Error)
}

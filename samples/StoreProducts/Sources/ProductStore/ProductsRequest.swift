import Foundation
import FoundationNetworking
import Synchronization

/// Asks the store about products, and tells a delegate what it said.
public final class ProductsRequest: Sendable {
  private struct State {
    weak var delegate: (any ProductsRequestDelegate)?
    var isCancelled = false
  }

  private let identifiers: [String]
  private let store: Store
  private let state = Mutex(State())

  /// A request for products, which has not begun.
  public init(productIdentifiers: Set<String>, from store: Store) {
    identifiers = productIdentifiers.sorted()
    self.store = store
  }

  /// Who hears of it; held weakly.
  public var delegate: (any ProductsRequestDelegate)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  /// Begins.
  public func start() {
    var components = URLComponents(
      url: store.url.appendingPathComponent("products"), resolvingAgainstBaseURL: false)
    components?.queryItems = [
      URLQueryItem(name: "ids", value: identifiers.joined(separator: ","))
    ]
    let task = URLSession.shared.dataTask(with: components?.url ?? store.url) {
      data, response, error in self.end(with: Self.outcome(data, response, error))
    }
    task.resume()
  }

  /// Gives up: the delegate is not called any more, unless a call has begun.
  ///
  /// The answer is let come: Foundation on Linux does not survive a task that is cancelled as it begins.
  public func cancel() { state.withLock { $0.isCancelled = true } }

  private static func outcome(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<ProductsResponse, StoreError> {
    if let error { return .failure(StoreError(error.localizedDescription)) }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { return .failure(StoreError("the store answered \(status)")) }
    guard let data, let answer = try? JSONDecoder().decode(ProductsResponse.self, from: data)
    else { return .failure(StoreError("the store's answer could not be read")) }
    return .success(answer)
  }

  private func end(with outcome: Result<ProductsResponse, StoreError>) {
    switch outcome {
    case .success(let response):
      call { $0.productsRequest(self, didReceive: response) }
      call { $0.requestDidFinish(self) }
    case .failure(let error): call { $0.request(self, didFailWithError: error) }
    }
  }

  private func call(_ body: @escaping @Sendable (any ProductsRequestDelegate) -> Void) {
    store.queue.async { [self] in
      let delegate = state.withLock { $0.isCancelled ? nil : $0.delegate }
      if let delegate { body(delegate) }
    }
  }
}

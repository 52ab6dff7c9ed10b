import Foundation
import FoundationNetworking
import SampleSupport
import Synchronization

/// Asks the store about products, and calls a delegate with the answer.
public final class ProductsRequest: Sendable {
  private struct State {
    weak var delegate: (any ProductsRequestDelegate)?
    var task: URLSessionDataTask?
    var isCancelled = false
  }

  /// One for all requests, as a system's store has.
  private static let session = URLSession.withoutCache()

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
    let task = Self.session.dataTask(with: components?.url ?? store.url) { data, response, error in
      self.end(
        with: HTTPOutcome(data, response, error).decoded().mapError { StoreError("\($0)") })
    }
    state.withLock { $0.task = task }
    task.resume()
  }

  /// Gives up: the delegate is not called any more, unless a call has begun.
  public func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  private func end(with outcome: Result<ProductsResponse, StoreError>) {
    state.withLock { $0.task = nil }
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

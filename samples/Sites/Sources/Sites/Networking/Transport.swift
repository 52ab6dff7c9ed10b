import Foundation
import FoundationNetworking

/// Carries a request and brings its answer, on whatever queue that comes.
public protocol Transport: Sendable {
  /// Sends `request`; `completion` is called once, on no particular queue.
  ///
  /// - Returns: What cancels it; it then answers with an error.
  func load(
    _ request: URLRequest,
    completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> @Sendable () -> Void
}

extension URLSession: Transport {
  /// Sends `request`; `completion` is called on the session's own queue.
  public func load(
    _ request: URLRequest,
    completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> @Sendable () -> Void {
    let task = dataTask(with: request, completionHandler: completion)
    task.resume()
    return { task.cancel() }
  }
}

extension URLRequest {
  /// A request that asks the address itself, and waits for at most `timeout` seconds.
  init(fresh url: URL, timeout: TimeInterval) {
    self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    // Foundation on Linux heeds only a limit that is set afterwards.
    timeoutInterval = timeout
  }
}

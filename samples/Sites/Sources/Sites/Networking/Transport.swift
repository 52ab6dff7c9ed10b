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

extension URLSession {
  /// A session as the app uses it: what is kept, it keeps itself.
  ///
  /// Without a cache of the session's own, for Foundation on Linux ends the process where a task is
  /// cancelled while that cache is still being asked.
  public static func withoutCache() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
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

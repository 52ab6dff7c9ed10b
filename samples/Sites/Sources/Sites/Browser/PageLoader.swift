import Foundation
import FoundationNetworking
import ThreadAffinity

/// Fetches web pages.
final class PageLoader: Sendable {
  private let transport: any Transport
  private let timeout: TimeInterval

  /// Makes a loader whose requests take at most `timeout` seconds.
  init(transport: any Transport, timeout: TimeInterval) {
    self.transport = transport
    self.timeout = timeout
  }

  /// Fetches the page at an address, and answers once, on the main queue; nil if there is none.
  func load(
    _ address: URL, _ completion: @escaping @MainActor (Result<WebPage?, NetworkError>) -> Void
  ) {
    let answer = hop("page", completion)
    _ = transport.load(URLRequest(fresh: address, timeout: timeout)) { data, response, error in
      answer(Self.page(in: data, response, error, at: address))
    }
  }

  private static func page(
    in data: Data?, _ response: URLResponse?, _ error: (any Error)?, at address: URL
  ) -> Result<WebPage?, NetworkError> {
    if let error { return .failure(NetworkError(carrying: error)) }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard 200..<300 ~= status else { return .failure(.requestFailed(.status(status))) }
    // Links are relative to where the page was found in the end.
    return .success(WebPage(html: data ?? Data(), at: response?.url ?? address))
  }
}

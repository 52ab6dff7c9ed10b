import Foundation
import FoundationNetworking
import SampleSupport
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
    HTTPOutcome(data, response, error).mapError { NetworkError($0) }
      // Links are relative to where the page was found in the end.
      .map { html in WebPage(html: html, at: response?.url ?? address) }
  }
}

import Foundation
import FoundationNetworking
import SampleSupport
import Synchronization

/// Answers a session's requests in place of a server, as each test has it.
///
/// A test's answers are found by the host it asks, so that tests may run beside each other.
final class MockURLProtocol: URLProtocol {
  typealias Answer = @Sendable (URLRequest) throws -> (HTTPURLResponse, Data)

  private static let answers = Mutex<[String: Answer]>([:])

  /// A session whose requests to `host` get this answer.
  static func session(for host: String, _ answer: @escaping Answer) -> URLSession {
    answers.withLock { $0[host] = answer }
    let configuration = URLSessionConfiguration.withoutCache
    configuration.protocolClasses = [MockURLProtocol.self]
    return URLSession(configuration: configuration)
  }

  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    do {
      guard let answer = Self.answers.withLock({ $0[request.url?.host ?? ""] }) else {
        throw URLError(.cannotFindHost)
      }
      let (response, data) = try answer(request)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: data)
      client?.urlProtocolDidFinishLoading(self)
    } catch {
      client?.urlProtocol(self, didFailWithError: error)
    }
  }

  override func stopLoading() {}
}

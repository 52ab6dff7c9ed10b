import Foundation
import FoundationNetworking

/// One address of the API, with what is asked there.
struct Endpoint: Sendable {
  /// How many heroes make a page.
  static let pageLength = 20
  /// How many comics are shown of a hero.
  static let shownComics = 2

  private let path: String
  private let query: [String: Int]

  init(_ path: String, _ query: [String: Int]) {
    self.path = path
    self.query = query
  }

  func request(at base: URL) -> URLRequest {
    var parts = URLComponents(
      url: base.appendingPathComponent(path), resolvingAgainstBaseURL: true)!
    parts.queryItems = query.sorted { $0.key < $1.key }
      .map { URLQueryItem(name: $0.key, value: String($0.value)) }
    return URLRequest(url: parts.url!)
  }
}

public import Foundation
import FoundationNetworking

/// What a `LoopbackServer` answers.
public struct HTTPResponse: Sendable, Hashable {
  /// The status, as 200.
  public var status: Int
  /// The header fields; the length of the body is added.
  public var headers: [String: String]
  /// What comes after the head.
  public var body: Data

  /// An answer of bytes.
  public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer of text.
  public static func text(
    _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": type], body: Data(text.utf8))
  }

  /// A value as JSON.
  public static func json(_ value: some Encodable) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let body = try? encoder.encode(value) else { return HTTPResponse(status: 500) }
    return HTTPResponse(headers: ["Content-Type": "application/json"], body: body)
  }

  /// Not to be had.
  public static let notFound = HTTPResponse(status: 404)

  var head: String {
    var lines = ["HTTP/1.1 \(status) \(HTTPURLResponse.localizedString(forStatusCode: status))"]
    lines += headers.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
    lines += ["Content-Length: \(body.count)", "Connection: close", "", ""]
    return lines.joined(separator: "\r\n")
  }
}

import Foundation
import FoundationNetworking

/// What a request is answered with.
public struct HTTPResponse: Sendable {
  /// The status code.
  public var status: Int
  /// Header fields besides the length and the connection's end.
  public var headers: [String: String]
  /// The content.
  public var body: Data
  /// How many bytes of the content are really sent, if the connection is to break before its end.
  public var cutAfter: Int?
  private var isSilent = false

  /// Makes an answer.
  public init(
    status: Int = 200, headers: [String: String] = [:], body: Data = Data(), cutAfter: Int? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.cutAfter = cutAfter
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
    guard let body = try? encoder.encode(value) else { return .status(500) }
    return HTTPResponse(headers: ["Content-Type": "application/json"], body: body)
  }

  /// A bare status, as an error is.
  public static func status(_ status: Int) -> HTTPResponse { HTTPResponse(status: status) }

  /// There is nothing at that address.
  public static let notFound = HTTPResponse(status: 404)

  /// Another place to ask.
  public static func redirect(to place: String) -> HTTPResponse {
    HTTPResponse(status: 302, headers: ["Location": place])
  }

  /// No answer at all: the connection ends.
  public static var hangUp: HTTPResponse {
    var answer = HTTPResponse()
    answer.isSilent = true
    return answer
  }

  /// Writes it to a connection, but for the content where only the head was asked for.
  func send(to connection: Int32, onlyHead: Bool) {
    if isSilent { return }
    let sent = onlyHead ? Data() : body.prefix(cutAfter ?? body.count)
    Socket.send(Data(head.utf8) + sent, to: connection)
  }

  private var head: String {
    var lines = ["HTTP/1.1 \(status) \(HTTPURLResponse.localizedString(forStatusCode: status))"]
    lines += headers.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
    lines += ["Content-Length: \(body.count)", "Connection: close", "", ""]
    return lines.joined(separator: "\r\n")
  }
}

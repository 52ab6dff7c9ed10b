import Foundation

/// One request, as it was read.
public struct HTTPRequest: Sendable, Hashable {
  /// `GET`, `POST` and so on.
  public let method: String
  /// The path without its query, as `/heroes/7`.
  public let path: String
  /// The query's values by name.
  public let query: [String: String]
  /// The header's values, by names in lower case.
  public let headers: [String: String]
  /// What was sent along.
  public let body: Data

  private static let longest = 1 << 20

  /// Reads one from a connection; `nil` if that ends before the request does.
  init?(readFrom connection: Int32) {
    let end = Data("\r\n\r\n".utf8)
    var bytes = Data()
    while bytes.range(of: end) == nil {
      guard bytes.count < Self.longest, let more = Socket.receive(from: connection) else {
        return nil
      }
      bytes.append(more)
    }
    guard let gap = bytes.range(of: end) else { return nil }
    let lines = String(decoding: bytes[..<gap.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3, let target = URLComponents(string: words[1]) else { return nil }
    method = words[0]
    path = target.path
    query = Dictionary(
      (target.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    headers = Self.headers(in: lines.dropFirst())

    var body = bytes[gap.upperBound...]
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    guard (0...Self.longest).contains(length) else { return nil }
    while body.count < length {
      guard let more = Socket.receive(from: connection) else { return nil }
      body.append(more)
    }
    self.body = Data(body)
  }

  private static func headers(in lines: some Sequence<String>) -> [String: String] {
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return headers
  }
}

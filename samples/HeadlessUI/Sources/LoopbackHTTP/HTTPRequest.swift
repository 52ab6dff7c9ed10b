public import Foundation

/// What a client asked a `LoopbackServer` for.
public struct HTTPRequest: Sendable, Hashable {
  /// The method, as `GET`.
  public let method: String
  /// The path, with percent escapes taken out and without the query.
  public let path: String
  /// The query's parameters.
  public let query: [String: String]
  /// The header fields, by their names in lower case.
  public let headers: [String: String]
  /// What was sent after the head.
  public let body: Data

  /// Nil where the head is not HTTP's.
  init?(head: String, body: Data) {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let words = lines.popFirst()?.split(separator: " ") ?? []
    guard words.count == 3, let url = URLComponents(string: String(words[1])) else { return nil }
    method = String(words[0])
    path = url.path
    query = Dictionary(
      (url.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    headers = Dictionary(
      lines.compactMap { line -> (String, String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return (line[..<colon].lowercased(), value)
      }, uniquingKeysWith: { $1 })
    self.body = body
  }
}

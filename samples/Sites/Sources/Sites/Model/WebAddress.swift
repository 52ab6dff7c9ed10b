import Foundation

/// An address as somebody wrote it, which may be none: one bad address does not spoil a whole list.
struct WebAddress: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text, as it was written.
  let text: String

  /// Takes an address as it is written.
  init(_ text: String) { self.text = text }

  /// Takes an address as it is written.
  init(stringLiteral text: String) { self.text = text }

  /// The text.
  var description: String { text }

  /// What can be asked for over HTTP; nil if the text is malformed or names something else.
  var url: URL? {
    // Foundation fixes what it is given; an address with a space in it is a mistake, not an address.
    guard let url = URL(string: text, encodingInvalidCharacters: false),
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host, !host.isEmpty
    else { return nil }
    return url
  }

  /// Whose site it is, for sorting and for people: `www.` left out.
  var host: String? {
    url?.host.map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 }
  }
}

extension WebAddress: Codable {
  /// Reads a string.
  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes a string.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// Escapes text for markup.
enum Markup {
  /// Returns text escaped as the content of an element.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case _ where scalar.steersTerminals: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns equivalent JSON that can neither end the enclosing element nor start another.
  static func inert(_ json: String) -> String {
    var inert: [UInt8] = []
    inert.reserveCapacity(json.utf8.count + 4096)
    for byte in json.utf8 {
      switch byte {
      case UInt8(ascii: "<"): inert.append(contentsOf: #"\u003c"#.utf8)
      case UInt8(ascii: ">"): inert.append(contentsOf: #"\u003e"#.utf8)
      case UInt8(ascii: "&"): inert.append(contentsOf: #"\u0026"#.utf8)
      default: inert.append(byte)
      }
    }
    return String(decoding: inert, as: UTF8.self)
  }
}

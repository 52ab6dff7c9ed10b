import TextOutput

/// An annotation of a GitHub workflow.
package struct GitHubAnnotation {
  private let level: String
  private let properties: [String]
  private let text: String

  /// - Parameters:
  ///   - level: `error`, `warning` or `notice`.
  ///   - file: a path relative to the repository.
  ///   - lineNumber: counts only with a file.
  package init(
    level: String, title: String, file: String? = nil, lineNumber: Int? = nil, text: String
  ) {
    self.level = level
    self.text = text
    var properties = ["title=\(Self.property(title))"]
    if let file {
      properties.insert("file=\(Self.property(file))", at: 0)
      if let lineNumber { properties.insert("line=\(lineNumber)", at: 1) }
    }
    self.properties = properties
  }

  /// The workflow command.
  package var line: String {
    "::\(level) \(properties.joined(separator: ","))::\(Self.message(text))\n"
  }

  /// Escapes line breaks, so that text of a log cannot begin a workflow command.
  private static func message(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default:
        if scalar.steersTerminals { escaped += "?" } else { escaped.unicodeScalars.append(scalar) }
      }
    }
    return escaped
  }

  private static func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

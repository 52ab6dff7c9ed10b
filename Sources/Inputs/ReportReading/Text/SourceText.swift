/// The text of a program's source: what its literals quote is a test's example or a template, and no report. What
/// somebody put into a comment may be one.
struct SourceText {
  /// Whether a file has the name of one.
  static func isSource(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    return parts.count > 1 && endings.contains(parts[parts.count - 1].lowercased())
  }

  private static let endings: Set<String> = [
    "swift", "m", "mm", "c", "cc", "cpp", "h", "hpp", "kt", "java", "cs", "py", "js", "ts", "rs",
    "go",
  ]

  /// The text with spaces for what stands in its literals.
  static func withoutLiterals(_ bytes: [UInt8], named name: String) -> [UInt8] {
    var text = SourceText(bytes, hasHashComments: name.hasSuffix(".py"))
    while text.at < text.bytes.count { text.take() }
    return text.bytes
  }

  private var bytes: [UInt8]
  private let hasHashComments: Bool
  private var at = 0

  private init(_ bytes: [UInt8], hasHashComments: Bool) {
    self.bytes = bytes
    self.hasHashComments = hasHashComments
  }

  private mutating func take() {
    if begins("//") || hasHashComments && begins("#") {
      skip(to: "\n")
    } else if begins("/*") {
      skip(to: "*/")
    } else if begins("\"\"\"") {
      blank(to: "\"\"\"")
    } else if begins("\'\'\'") {
      blank(to: "\'\'\'")
    } else if begins("\"") {
      blank(to: "\"", isOneLine: true)
    } else if begins("\'\"\'") {
      at += 3
    } else if begins("\'\\\"\'") {
      at += 4
    } else {
      at += 1
    }
  }

  private func begins(_ sign: StaticString) -> Bool {
    guard at + sign.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<sign.utf8CodeUnitCount).allSatisfy { bytes[at + $0] == sign.utf8Start[$0] }
  }

  private mutating func skip(to end: StaticString) {
    at += 1
    while at < bytes.count, !begins(end) { at += 1 }
    at = min(bytes.count, at + end.utf8CodeUnitCount)
  }

  /// A line of a longer text ends with `\n`; what else stands in one line, as the strings of a document do, stays.
  private mutating func blank(to end: StaticString, isOneLine: Bool = false) {
    let start = at + end.utf8CodeUnitCount
    at = start
    while at < bytes.count, !begins(end) {
      if isOneLine, bytes[at] == UInt8(ascii: "\n") { return }
      at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    at = min(at, bytes.count)
    let newline = Array("\\n".utf8)
    if !isOneLine || bytes[start..<at].suffix(2).elementsEqual(newline) {
      for place in start..<at where bytes[place] != UInt8(ascii: "\n") {
        bytes[place] = UInt8(ascii: " ")
      }
    }
    at = min(bytes.count, at + end.utf8CodeUnitCount)
  }
}

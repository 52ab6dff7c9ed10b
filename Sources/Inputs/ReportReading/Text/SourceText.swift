/// The text of a source file. Its string literals are test data or templates, not reports; a
/// comment may quote a report.
struct SourceText {
  /// True if the file name is that of a source file.
  static func isSource(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard parts.count > 1, let ending = parts.last?.lowercased() else { return false }
    return endings.contains(ending) || settings.contains(ending)
  }

  private static func isSettings(_ name: String) -> Bool {
    settings.contains(name.split(separator: ".").last.map { $0.lowercased() } ?? "")
  }

  private static func withoutValues(_ bytes: [UInt8]) -> [UInt8] {
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map {
      line -> [UInt8] in
      let text = String(decoding: line, as: UTF8.self).trimmed
      let isItem = ["- ", "\"", "'"].contains(where: text.hasPrefix)
      let key = text.prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
      let rest = text[key.endIndex...].trimmed
      let isMember =
        !key.isEmpty && key.utf8.count < 40 && ":=".contains(rest.first ?? " ")
        && !rest.trimmedOf(":= |>-").isEmpty
      return isItem || isMember ? [] : Array(line)
    }
    return Array(lines.joined(separator: [10]))
  }

  private static let settings: Set<String> = [
    "yaml", "yml", "toml", "ini", "cfg", "conf", "properties",
  ]

  private static let endings: Set<String> = [
    "swift", "m", "mm", "c", "cc", "cpp", "h", "hpp", "kt", "java", "cs", "py", "js", "ts", "rs",
    "go", "tsx", "jsx", "mjs", "dart", "rb", "php", "vue", "gd", "lua", "scala", "groovy",
  ]

  /// Languages with single-quoted strings, template strings in back ticks, and regular expressions
  /// between slashes.
  private static let scripts: Set<String> = ["js", "ts", "tsx", "jsx", "mjs", "vue"]
  private static let withSingleQuotes: Set<String> = scripts.union([
    "py", "dart", "rb", "php", "gd", "lua", "groovy",
  ])

  /// The text with its literals replaced by spaces; in settings files, values on the line of their
  /// key are replaced instead.
  static func withoutLiterals(_ bytes: [UInt8], named name: String) -> [UInt8] {
    if isSettings(name) { return withoutValues(bytes) }
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    var text = SourceText(bytes, ending)
    while text.at < text.bytes.count { text.take() }
    return text.bytes
  }

  private var bytes: [UInt8]
  private let hasHashComments: Bool
  private let hasSingleQuotes: Bool
  private let isScript: Bool
  private let isGo: Bool
  private var at = 0

  private init(_ bytes: [UInt8], _ ending: String) {
    self.bytes = bytes
    hasHashComments = ["py", "rb", "gd"].contains(ending)
    hasSingleQuotes = Self.withSingleQuotes.contains(ending)
    isScript = Self.scripts.contains(ending)
    isGo = ending == "go"
  }

  private mutating func take() {
    if begins("///") || begins("/**") {
      // Documentation comments hold examples.
      begins("/**") ? blank(to: "*/") : blankLine()
    } else if begins("//") || hasHashComments && begins("#") {
      skip(to: "\n")
    } else if begins("/*") {
      skip(to: "*/")
    } else if begins("\"\"\"") {
      blank(to: "\"\"\"")
    } else if begins("\'\'\'") {
      blank(to: "\'\'\'")
    } else if begins("\"") {
      blank(to: "\"", isOneLine: true)
    } else if isScript || isGo, begins("`") {
      blank(to: "`")
    } else if isScript, begins("/"), isAtPattern {
      blank(to: "/", isOneLine: true)
    } else if hasSingleQuotes, begins("\'") {
      blank(to: "\'", isOneLine: true)
    } else if begins("\'\"\'") {
      at += 3
    } else if begins("\'\\\"\'") {
      at += 4
    } else {
      at += 1
    }
  }

  /// True if a slash begins a regular expression: it is at the start of a value, and so is no
  /// division.
  private var isAtPattern: Bool {
    let before = bytes[..<at].last { $0 != 32 && $0 != 9 }
    return before.map { "(,=:[!&|?{};\n".utf8.contains($0) } ?? true
  }

  private func begins(_ sign: StaticString) -> Bool {
    guard at + sign.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<sign.utf8CodeUnitCount).allSatisfy { bytes[at + $0] == sign.utf8Start[$0] }
  }

  private mutating func blankLine() {
    while at < bytes.count, bytes[at] != UInt8(ascii: "\n") {
      bytes[at] = UInt8(ascii: " ")
      at += 1
    }
  }

  private mutating func skip(to end: StaticString) {
    at += 1
    while at < bytes.count, !begins(end) { at += 1 }
    at = min(bytes.count, at + end.utf8CodeUnitCount)
  }

  private mutating func blank(to end: StaticString, isOneLine: Bool = false) {
    let start = at + end.utf8CodeUnitCount
    at = start
    while at < bytes.count, !begins(end) {
      if isOneLine, bytes[at] == UInt8(ascii: "\n") { return }
      at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    at = min(at, bytes.count)
    for place in start..<at where bytes[place] != UInt8(ascii: "\n") {
      bytes[place] = UInt8(ascii: " ")
    }
    at = min(bytes.count, at + end.utf8CodeUnitCount)
  }
}

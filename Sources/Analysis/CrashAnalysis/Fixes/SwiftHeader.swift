/// Determines the kind of a block from the code before its brace.
struct SwiftHeader {
  private let code: [UInt8]
  /// The offset of the opening bracket, by the offset of the closing bracket.
  private let opening: [Int: Int]

  init(_ code: [UInt8], _ pairs: [Int: Int]) {
    self.code = code
    opening = Dictionary(pairs.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }

  func block(from open: Int, to close: Int) -> SwiftText.Block {
    let start = start(of: open)
    let text = String(decoding: code[start..<open], as: UTF8.self)
    let header = Substring(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    return SwiftText.Block(
      kind: Self.kind(header), open: open, close: close, header: header, headerStart: start)
  }

  /// Returns the start of the statement or declaration to which a brace belongs.
  private func start(of open: Int) -> Int {
    var place = open - 1
    while place >= 0 {
      switch code[place] {
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        guard let begin = opening[place] else { return place + 1 }
        place = begin - 1
        continue
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "}"),
        UInt8(ascii: ";"):
        return place + 1
      case UInt8(ascii: "\n"):
        let after = String(decoding: code[(place + 1)..<open], as: UTF8.self)
        if !SwiftLine.continues(after), !SwiftLine.isOpen(before(place)) { return place + 1 }
      default: break
      }
      place -= 1
    }
    return 0
  }

  /// Returns the part of a line before an offset.
  private func before(_ end: Int) -> String {
    var start = end
    while start > 0, code[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return String(decoding: code[start..<end], as: UTF8.self)
  }

  private static let modifiers: Set<Substring> = [
    "public", "private", "fileprivate", "internal", "package", "open", "final", "static",
    "override", "mutating", "nonmutating", "nonisolated", "lazy", "weak", "required",
    "convenience", "indirect", "consuming", "borrowing", "distributed", "isolated",
  ]

  /// Returns the words of a header after its attributes and modifiers, without bracketed arguments.
  static func declaration(_ header: Substring) -> [Substring] {
    var words = header.split(separator: " ")
    while let first = words.first {
      let name = first.prefix { $0 != "(" }
      let isClassMember = first == "class" && words.count > 1 && ["func", "var"].contains(words[1])
      guard first.hasPrefix("@") || modifiers.contains(name) || isClassMember else { break }
      words.removeFirst()
    }
    return words
  }

  private static func kind(_ header: Substring) -> SwiftText.Block.Kind {
    let words = declaration(header)
    guard let first = words.first.map({ $0.prefix { $0.isLetter || $0 == "_" } }) else {
      return .closure
    }
    switch first {
    case "if", "guard", "for", "while", "do", "switch", "catch", "repeat", "else", "defer":
      return .control
    case "func", "init", "deinit", "subscript": return .function
    case "class", "struct", "enum", "actor", "extension", "protocol": return .type
    case "get", "set", "willSet", "didSet", "_read", "_modify": return .accessor
    case "var", "let": return header.contains("=") ? .closure : .accessor
    default: return .closure
    }
  }
}

/// Recognizes statements that span lines.
enum SwiftLine {
  /// True if a line that begins with `code` continues the line before it.
  static func continues(_ code: some StringProtocol) -> Bool {
    let rest = code.drop { $0.isWhitespace }
    if rest.isEmpty { return true }
    let words = ["where ", "throws ", "async ", "else ", "rethrows ", "is ", "as ", "as? ", "as! "]
    if words.contains(where: rest.hasPrefix) { return true }
    return ["->", ".", "?", ":", "&&", "||", "=", "+ ", "- ", "* ", "/ ", "<", ">", ",", ")", "]"]
      .contains(where: rest.hasPrefix)
  }

  /// True if the statement of a line continues on the next line.
  static func isOpen(_ code: some StringProtocol) -> Bool {
    let line = String(code).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return [",", "=", "&&", "||", "->", "(", "[", " +", " -", " *", " /", "??"].contains {
      line.hasSuffix($0)
    }
  }
}

import Symbolication

/// A frame's function in the form that people read, from whatever a report printed.
struct Symbol {
  let mangled: String
  let readable: String
  /// Whether it names a function: a redacted symbol, a UUID or a bare offset does not.
  let isName: Bool

  init(_ printed: String, image: String) {
    let text = printed.trimmed
    mangled = text
    let isNoName = text.isEmpty || Self.isHidden(text) || Self.isUUID(text) || Self.isAddress(text)
    isName = !isNoName && text != image && !Self.isOffset(text, in: image)
    readable = isName ? Self.readable(text) : text
  }

  private static func isHidden(_ text: String) -> Bool {
    text == "<redacted>" || text == "<unavailable>" || text == "<unknown>" || text == "???"
      || text == "__hidden#" || text.hasPrefix("__hidden#") || text == "<compiler-generated>"
  }

  static func isUUID(_ text: String) -> Bool {
    // Most names are told from one at a glance.
    guard text.utf8.count >= 36, text.utf8.dropFirst(8).first == UInt8(ascii: "-") else {
      return false
    }
    let groups = text.prefix { $0 != " " }.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }

  private static func isAddress(_ text: String) -> Bool {
    let digits = text.prefix { $0 != " " }
    return digits.hasPrefix("0x") && digits.dropFirst(2).allSatisfy(\.isHexDigit)
  }

  /// `Image + 1234` says no more than its address does.
  private static func isOffset(_ text: String, in image: String) -> Bool {
    !image.isEmpty && text.hasPrefix(image + " + ")
  }

  private static func readable(_ text: String) -> String {
    var demangler = Demangler()
    let known =
      demangler.readable(text)
      ?? demangler.readable("_" + text).flatMap {
        text.hasPrefix("Z") ? $0 : nil
      }
    return block(known ?? text).map { "block in \($0)" } ?? known ?? text
  }

  /// The function that an Objective-C or C block was written in: `__40-[A b:]_block_invoke.12`.
  private static func block(_ text: String) -> String? {
    guard text.hasPrefix("__"), let end = text.range(of: "_block_invoke") else { return nil }
    var name = text[..<end.lowerBound].dropFirst(2)
    while name.hasPrefix("_"), name.dropFirst().first.map({ $0.isNumber || $0 == "_" }) == true {
      name = name.dropFirst()
    }
    let written = name.drop(while: \.isNumber)
    return written.isEmpty ? nil : String(written)
  }
}

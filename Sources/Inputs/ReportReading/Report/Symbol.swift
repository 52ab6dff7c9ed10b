import Symbolication

/// The function of a frame in readable form.
struct Symbol {
  let mangled: String
  let readable: String
  /// True if the symbol is a function name, and not a redacted symbol, a UUID or a bare offset.
  let isName: Bool

  init(_ printed: String, image: String) {
    let whole = printed.trimmed
    let text = Self.isOffset(whole, in: image) ? whole : String(whole.withoutOffset)
    mangled = text
    let isNoName = text.isEmpty || Self.isHidden(text) || Self.isUUID(text) || Self.isAddress(text)
    isName = !isNoName && text != image && !Self.isOffset(text, in: image)
    readable = isName ? Self.readable(text) : text
  }

  private static func isHidden(_ text: String) -> Bool {
    text == "<redacted>" || text == "<unavailable>" || text == "<unknown>" || text == "???"
      || text == "??"
      || text == "__hidden#" || text.hasPrefix("__hidden#") || text == "<compiler-generated>"
      || text == "_mh_execute_header" || text == "__mh_execute_header"
  }

  static func isUUID(_ text: String) -> Bool {
    // A cheap test rejects most names.
    guard text.utf8.count >= 36, text.utf8.dropFirst(8).first == UInt8(ascii: "-") else {
      return false
    }
    let groups = text.prefix { $0 != " " }.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }

  /// True if the function is a method of an Objective-C category: `-[UIView(Kiln) fire]`.
  var isCategory: Bool {
    guard readable.hasPrefix("-[") || readable.hasPrefix("+[") else { return false }
    return readable.prefix { $0 != " " }.contains("(")
  }

  private static func isAddress(_ text: String) -> Bool {
    if text.hasPrefix("+ "), text.dropFirst(2).allSatisfy(\.isNumber) { return true }
    let digits = text.prefix { $0 != " " }
    return digits.hasPrefix("0x") && digits.dropFirst(2).allSatisfy(\.isHexDigit)
  }

  /// True for `Image + 1234`, which carries no more information than the address.
  private static func isOffset(_ text: String, in image: String) -> Bool {
    !image.isEmpty && text.hasPrefix(image + " + ")
  }

  private static func readable(_ text: String) -> String {
    if text.hasPrefix("kfun:") { return kotlin(text.dropFirst("kfun:".count)) }
    if let name = block(text) { return "block in \(demangled(name) ?? name)" }
    let known = demangled(text) ?? (text.hasPrefix("Z") ? demangled("_" + text) : nil)
    guard let known else { return text }
    return block(known).map { "block in \($0)" } ?? lambda(known) ?? known
  }

  private static func demangled(_ text: String) -> String? {
    var demangler = Demangler()
    return demangler.readable(text)
  }

  /// The name of a C++ lambda's enclosing function: `a::b` for `a::b()::$_0::operator()() const`.
  private static func lambda(_ text: String) -> String? {
    guard text.hasSuffix("::operator()() const") || text.contains("::operator()("),
      let start = text.range(of: "::$_") ?? text.range(of: "::'lambda")
        ?? text.range(of: "::{lambda"),
      !text[..<start.lowerBound].contains("<")
    else { return nil }
    return "lambda in \(text[..<start.lowerBound])"
  }

  /// The readable name of a Kotlin symbol such as
  /// `org.orchard.Press#squeeze(kotlin.String){}kotlin.Int`.
  private static func kotlin(_ text: Substring) -> String {
    String(text.prefix { $0 != "{" }).replacing("#", with: ".")
  }

  /// The enclosing function of an Objective-C or C block: `__40-[A b:]_block_invoke.12`.
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

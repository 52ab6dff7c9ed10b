/// The parts of a closure type that a caller of the closure needs.
struct ClosureType {
  let arguments: [String]
  let result: String
  let isAsync: Bool
  let `throws`: Bool
  let isOptional: Bool
  let isMain: Bool

  /// Parses a closure type, which may be optional; nil for any other type.
  init?(_ type: String, aliases: [String: String]) {
    var text = Substring(type).trimmed
    var isOptional = false
    if text.hasSuffix("?") {
      isOptional = true
      text = text.dropLast().trimmed
    }
    if let meant = aliases[String(text)] { text = Substring(meant).trimmed }
    if isOptional, text.first == "(",
      TypeText.end(ofBracketAt: text.startIndex, in: text) == text.endIndex
    {
      text = text.dropFirst().dropLast().trimmed
    }
    var attributes: [Substring] = []
    while text.hasPrefix("@") { attributes.append(text.takeWord()) }
    isMain = attributes.contains("@MainActor")
    guard text.first == "(", let arrow = TypeText.find("->", in: text) else { return nil }
    let end = TypeText.end(ofBracketAt: text.startIndex, in: text)
    let effects = text[end..<arrow]
    arguments = TypeText.split(text[..<end].dropFirst().dropLast(), by: ",").map(String.init)
    result = String(text[arrow...].dropFirst(2).trimmed)
    isAsync = effects.contains("async")
    `throws` = effects.contains("throws")
    self.isOptional = isOptional
  }

  /// True if a call only delivers a value and expects none.
  var isCompletion: Bool { (result == "Void" || result == "()") && !isAsync && !`throws` }
}

/// The short form of a demangled name: `closure #1 in Board.show(_:)` for `closure #1 () -> () in
/// App.Board.show(Swift.Int) -> ()`.
package enum ShortName {
  package static func of(_ demangled: String) -> String {
    let name = whole(demangled)
    if let method = implementation(of: name) { return method }
    return split(name, " in ").map(part).joined(separator: " in ")
  }

  /// Removes the prefix of a resume point. An async function is compiled in parts, with names such as `(1)
  /// await resume partial function for App.load() async -> ()`.
  private static func whole(_ demangled: String) -> Substring {
    guard demangled.hasPrefix("("),
      let piece = demangled.firstRange(of: " resume partial function for ")
    else { return Substring(demangled) }
    return demangled[piece.upperBound...]
  }

  /// Returns `Shop.price(_:)` for `protocol witness for App.Seller.price(_:) … in conformance App.Shop : …`.
  /// A call through a protocol runs the type's method, which may be inlined into the witness.
  private static func implementation(of demangled: Substring) -> String? {
    let mark = "protocol witness for "
    guard demangled.hasPrefix(mark) else { return nil }
    let halves = split(demangled.dropFirst(mark.count), " in conformance ")
    let requirement = part(halves[0])
    guard halves.count == 2, let dot = requirement.firstIndex(of: ".") else { return nil }
    return part(split(halves[1], " : ")[0]) + requirement[dot...]
  }

  private static func part(_ text: Substring) -> String {
    // The text before an `of` describes a transformation by the optimizer.
    var words = split(split(text, " of ").last ?? text, " -> ")[0]
    if let closure = words.firstRange(of: "closure #") {
      // The types of a closure are omitted.
      return split(words[closure.lowerBound...], " ").prefix(2).joined(separator: " ")
    }
    for mark in [" throws", " async"] where words.hasSuffix(mark) {
      words = words.dropLast(mark.count)
    }
    return function(split(words, " : ")[0])
  }

  /// Replaces the parameters of a function by their labels, and removes the module.
  private static func function(_ text: Substring) -> String {
    var name = ""
    var rest = text
    while let character = rest.first {
      let group = matching(rest)
      switch character {
      // The characters of an operator's name are not brackets.
      case "<" where name.hasSuffix("."): return String(text)
      case "<" where group != nil: break
      case "(" where group != nil: name += parenthesis(group!)
      default: name.append(character)
      }
      rest = rest.dropFirst("<(".contains(character) ? (group?.count ?? -1) + 2 : 1)
    }
    return withoutModule(name)
  }

  /// Removes the module of a name. A bare module name stands for code at the top level of a file.
  private static func withoutModule(_ name: String) -> String {
    let words = name.split(separator: " ")
    guard let path = words.last else { return name }
    guard let dot = path.firstIndex(of: ".") else {
      let isModule = words.count == 1 && path.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
      return isModule ? "top-level code" : name
    }
    return (words.dropLast() + [path[path.index(after: dot)...]]).joined(separator: " ")
  }

  /// Replacement for a parenthesized part of a name: labels for parameters, or a private function's name.
  private static func parenthesis(_ inside: Substring) -> String {
    if let place = inside.firstRange(of: " in _") { return String(inside[..<place.lowerBound]) }
    if inside.hasPrefix("extension in ") { return "" }
    if inside.isEmpty { return "()" }
    let labels = split(inside, ", ").map { parameter in
      let label = parameter.prefix { $0 == "_" || $0.isLetter || $0.isNumber }
      return parameter.dropFirst(label.count).hasPrefix(": ") ? "\(label):" : "_:"
    }
    return "(\(labels.joined()))"
  }

  /// The text inside the bracket at the start; nil if the bracket is not closed.
  private static func matching(_ text: Substring) -> Substring? {
    var depth = 0
    var last: Character = " "
    for index in text.indices {
      let character = text[index]
      // The `>` of an arrow closes nothing.
      if character == "(" || character == "<" { depth += 1 }
      if character == ")" || (character == ">" && last != "-") { depth -= 1 }
      if depth == 0 { return index == text.startIndex ? nil : text[..<index].dropFirst() }
      last = character
    }
    return nil
  }

  /// The pieces between the separators outside of brackets.
  private static func split(_ text: Substring, _ separator: String) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    var index = start
    while index < text.endIndex {
      if "(<".contains(text[index]), let group = matching(text[index...]) {
        index = text.index(group.endIndex, offsetBy: 1)
      } else if text[index...].hasPrefix(separator) {
        pieces.append(text[start..<index])
        index = text.index(index, offsetBy: separator.count)
        start = index
      } else {
        index = text.index(after: index)
      }
    }
    return pieces + [text[start...]]
  }
}

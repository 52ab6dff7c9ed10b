/// A requirement of a protocol: a method, a property or a subscript.
struct Requirement {
  enum Kind { case method, property, subscriptMember }

  let kind: Kind
  /// The name with its argument labels, as used in options.
  let title: String
  let declaration: String
  let isDeprecated: Bool
  private(set) var attributes: [String] = []
  private(set) var modifiers: [String] = []
  private(set) var name = ""
  private(set) var generics = ""
  private(set) var parameters: [Parameter] = []
  private(set) var isAsync = false
  /// `throws` with its type, or `rethrows`.
  private(set) var throwing: String?
  private(set) var result = "Void"
  private(set) var constraints = ""
  private(set) var accessors: Substring = ""

  var baseName: String { String(title.prefix { $0 != "(" }) }
  var isMain: Bool { attributes.contains("@MainActor") }
  var isStatic: Bool { modifiers.contains("static") || name == "init" }
  var isMutating: Bool { modifiers.contains("mutating") }
  var hasSetter: Bool { accessors.contains("set") }
  var setterMutates: Bool { !accessors.contains("nonmutating set") }
  var returns: Bool { result != "Void" && result != "()" }
  var inouts: [Parameter] { parameters.filter(\.isInout) }

  /// The type of the thrown error; nil if the requirement does not throw.
  var failure: String? {
    guard let throwing else { return nil }
    guard throwing.hasPrefix("throws(") else { return "any Error" }
    return String(throwing.dropFirst("throws(".count).dropLast())
  }

  /// Parses the declaration of a symbol. `Self.Item` becomes `Item`, the shim's type alias.
  init(_ symbol: Symbol) {
    switch symbol.kind.identifier {
    case "swift.property", "swift.type.property": kind = .property
    case "swift.subscript", "swift.type.subscript": kind = .subscriptMember
    default: kind = .method
    }
    title = symbol.names.title
    isDeprecated = symbol.isDeprecated
    declaration = symbol.text
    var text = Substring(symbol.text.replacing("Self.", with: ""))
    readHead(&text)
    readAccessors(&text)
    if let start = TypeText.find(" where ", in: text) {
      constraints = String(text[start...])
      text = text[..<start]
    }
    kind == .property ? readType(text) : readSignature(text)
  }

  private mutating func readHead(_ text: inout Substring) {
    while true {
      if text.hasPrefix("@") {
        attributes.append(String(text.takeWord()))
        if text.first == "(" {
          text = text[TypeText.end(ofBracketAt: text.startIndex, in: text)...].trimmed
        }
        continue
      }
      if text.hasPrefix("subscript") || text.hasPrefix("init") { break }
      let word = text.prefix { $0 != " " }
      text = text.dropFirst(word.count).trimmed
      if word == "func" || word == "var" || word.isEmpty { break }
      modifiers.append(String(word))
    }
    name = String(
      kind == .property
        ? text.prefix { $0 != ":" } : text.prefix { $0 != "(" && $0 != "<" && $0 != " " })
    text = text.dropFirst(name.count).trimmed
  }

  private mutating func readAccessors(_ text: inout Substring) {
    guard kind != .method, let start = TypeText.find("{", in: text) else { return }
    accessors = text[start...].dropFirst().dropLast().trimmed
    text = text[..<start].trimmed
    readEffects(accessors)
  }

  private mutating func readType(_ text: Substring) {
    result = String(text.dropFirst().trimmed)
  }

  private mutating func readSignature(_ signature: Substring) {
    var text = signature
    if text.first == "<" {
      let end = TypeText.end(ofBracketAt: text.startIndex, in: text)
      generics = String(text[..<end])
      text = text[end...].trimmed
    }
    guard text.first == "(" else { return }
    let end = TypeText.end(ofBracketAt: text.startIndex, in: text)
    parameters = TypeText.split(text[..<end].dropFirst().dropLast(), by: ",").enumerated().map {
      Parameter($0.element, position: $0.offset, labelled: kind == .method)
    }
    text = text[end...]
    if let arrow = TypeText.find("->", in: text) {
      result = String(text[arrow...].dropFirst(2).trimmed)
      text = text[..<arrow]
    }
    if kind == .method { readEffects(text) }
  }

  private mutating func readEffects(_ text: Substring) {
    isAsync = text.contains("async")
    if text.contains("rethrows") {
      throwing = "rethrows"
    } else if let start = TypeText.find("throws", in: text) {
      let rest = text[start...]
      let end =
        rest.hasPrefix("throws(")
        ? TypeText.end(ofBracketAt: rest.index(start, offsetBy: 6), in: rest)
        : rest.index(start, offsetBy: 6)
      throwing = String(rest[..<end])
    }
  }
}

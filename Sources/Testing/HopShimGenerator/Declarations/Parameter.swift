/// A parameter of a requirement.
struct Parameter {
  /// The label at the call site; `nil` for none.
  let label: String?
  /// The name of the argument in the shim.
  let name: String
  /// The type with its attributes and specifiers.
  let text: String
  /// The attributes of the type, such as `@escaping`.
  let attributes: [String]
  /// The words before the type, such as `inout`.
  let specifiers: [String]
  /// The type without attributes and specifiers.
  let type: String

  /// Parses `label name: type`.
  init(_ declaration: Substring, position: Int, labelled: Bool) {
    let colon = TypeText.find(":", in: declaration) ?? declaration.endIndex
    let words = declaration[..<colon].split(separator: " ").map(String.init)
    let outer = words.first ?? "_"
    let inner = words.last ?? "_"
    name = inner == "_" ? "argument\(position)" : inner.asIdentifier
    label = outer == "_" || !(labelled || words.count > 1) ? nil : outer
    var rest = declaration[colon...].dropFirst().trimmed
    text = String(rest)
    var attributes: [String] = []
    var specifiers: [String] = []
    while true {
      if rest.hasPrefix("@") {
        attributes.append(String(rest.takeWord()))
      } else if let word = Self.specifiers.first(where: { rest.hasPrefix($0 + " ") }) {
        specifiers.append(word)
        rest = rest.dropFirst(word.count).trimmed
      } else {
        break
      }
    }
    self.attributes = attributes
    self.specifiers = specifiers
    type = String(rest)
  }

  private static let specifiers = [
    "inout", "borrowing", "consuming", "__owned", "__shared", "sending", "isolated",
    "nonisolated(nonsending)",
  ]

  var isMain: Bool { attributes.contains("@MainActor") }
  var isInout: Bool { specifiers.contains("inout") }

  /// Returns the declaration of the parameter. If `sharingNames`, an identical label and name are
  /// written once.
  func declared(sharingNames: Bool) -> String {
    let outer = label ?? "_"
    let isShared = sharingNames && outer == name
    return isShared ? "\(name): \(text)" : "\(outer) \(name): \(text)"
  }

  /// True if the argument must be wrapped, because the compiler cannot prove that sending it to
  /// another thread is safe.
  var isHandedOver: Bool {
    if isInout || attributes.contains("@Sendable") || isMain { return isInout }
    let bare = type.drop { $0 == "[" }.filter { $0 != "]" && $0 != "?" }
    return !plainTypes.contains(String(bare))
  }

  /// The argument in a call, under the parameter's name.
  var plain: String { label.map { "\($0): \(name)" } ?? name }

  /// The argument in the call inside the hop.
  var passed: String {
    let value = isInout ? "&\(name)" : isHandedOver ? "\(name).value" : name
    return label.map { "\($0): \(value)" } ?? value
  }
}

// Types whose values are safe to share between threads.
private let plainTypes: Set<String> = [
  "Bool", "Character", "Data", "Date", "Double", "Duration", "Float", "Int", "Int16", "Int32",
  "Int64", "Int8", "String", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "URLRequest",
  "UUID", "any Error", "(any Error)",
]

extension String {
  /// The identifier, in backticks if it is a keyword.
  var asIdentifier: String {
    keywords.contains(self) ? "`\(self)`" : self
  }
}

private let keywords: Set<String> = [
  "actor", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
  "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
  "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
  "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
  "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
  "typealias", "var", "where", "while",
]

/// The part of a module's symbol graph that a shim is made from.
struct SymbolGraph: Decodable {
  var module: Module
  var symbols: [Symbol]
  var relationships: [Relationship]

  struct Module: Decodable { var name: String }

  struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
  }
}

/// One declaration of a symbol graph.
struct Symbol: Decodable {
  var kind: Kind
  var identifier: Identifier
  var pathComponents: [String]
  var names: Names
  var declarationFragments: [Fragment]
  var accessLevel: String
  var availability: [Availability]?
  var swiftExtension: Extension?

  struct Kind: Decodable { var identifier: String }
  struct Identifier: Decodable { var precise: String }
  struct Names: Decodable { var title: String }

  struct Fragment: Decodable {
    var spelling: String
    var preciseIdentifier: String?
  }

  struct Availability: Decodable { var isUnconditionallyDeprecated: Bool? }

  struct Extension: Decodable {
    var constraints: [Constraint]?
    struct Constraint: Decodable {}
  }

  var id: String { identifier.precise }

  /// The declaration as it would stand in the source.
  var text: String {
    declarationFragments.map(\.spelling).joined()
      .split(separator: "\n").joined(separator: " ")
  }

  var isDeprecated: Bool {
    availability?.contains { $0.isUnconditionallyDeprecated == true } ?? false
  }
}

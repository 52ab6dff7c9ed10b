/// The parts of a module's symbol graph that the generator needs.
struct SymbolGraph: Decodable {
  var module: Module
  var symbols: [Symbol]
  var relationships: [Relationship]

  struct Module: Decodable { var name: String }

  struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
    /// The name of the target, for a target in another module.
    var targetFallback: String?
  }

  /// The name of the target of a relationship; its precise identifier if the graph has no name.
  func targetName(of relationship: Relationship) -> String {
    symbols.first { $0.id == relationship.target }?.pathComponents.joined(separator: ".")
      ?? relationship.targetFallback ?? relationship.target
  }

  /// Sorts symbols and relationships by source position, and symbols without a position by
  /// identifier. Some compilers emit the same graph in a different order each time.
  mutating func sort() {
    symbols.sort { $0.rank < $1.rank }
    let ranks = Dictionary(symbols.enumerated().map { ($1.id, $0) }) { first, _ in first }
    relationships.sort {
      (ranks[$0.target] ?? .max, $0.target, $0.source, $0.kind)
        < (ranks[$1.target] ?? .max, $1.target, $1.source, $1.kind)
    }
  }
}

/// A declaration in a symbol graph.
struct Symbol: Decodable {
  var kind: Kind
  var identifier: Identifier
  var pathComponents: [String]
  var names: Names
  var declarationFragments: [Fragment]
  var accessLevel: String
  var availability: [Availability]?
  var swiftExtension: Extension?
  var location: Location?

  struct Kind: Decodable { var identifier: String }
  struct Identifier: Decodable { var precise: String }
  struct Names: Decodable { var title: String }

  struct Fragment: Decodable {
    var spelling: String
    var preciseIdentifier: String?
  }

  struct Availability: Decodable { var isUnconditionallyDeprecated: Bool? }

  struct Location: Decodable {
    var uri: String
    var position: Position
    struct Position: Decodable { var line: Int, character: Int }
  }

  struct Extension: Decodable {
    var constraints: [Constraint]?
    struct Constraint: Decodable {}
  }

  var id: String { identifier.precise }

  fileprivate var rank: (Int, String, Int, Int, String) {
    guard let location else { return (1, "", 0, 0, id) }
    return (0, location.uri, location.position.line, location.position.character, id)
  }

  /// The declaration as source text.
  var text: String {
    declarationFragments.map(\.spelling).joined()
      .split(separator: "\n").joined(separator: " ")
  }

  var isDeprecated: Bool {
    availability?.contains { $0.isUnconditionallyDeprecated == true } ?? false
  }
}

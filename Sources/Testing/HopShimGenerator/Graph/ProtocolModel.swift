/// A protocol with its own and its inherited requirements.
struct ProtocolModel {
  let name: String
  let module: String
  private(set) var text: String
  let isPublic: Bool
  private(set) var isClassBound = false
  private(set) var isNSObject = false
  private(set) var associatedTypes: [String] = []
  private(set) var requirements: [Requirement] = []
  /// Requirements that cannot be forwarded to a target, and that have a default implementation.
  private(set) var leftToDefaults: [Requirement] = []
  /// The closure types behind type aliases.
  private(set) var aliases: [String: String] = [:]
  /// The modules of the types in the requirements.
  private(set) var modules: Set<String> = []

  var isMain: Bool { text.hasPrefix("@MainActor ") }

  /// Finds the protocol `name` in `module`, and its inherited protocols in all modules.
  init(_ name: String, in module: String, graphs: SymbolGraphs) throws {
    self.name = name
    self.module = module
    let graph = try graphs.graph(of: module)
    guard
      let symbol = graph.symbols.first(where: {
        $0.pathComponents.joined(separator: ".") == name && $0.kind.identifier == "swift.protocol"
      })
    else { throw Refusal("the module \(module) has no protocol \(name)") }
    if symbol.accessLevel == "private" || symbol.accessLevel == "fileprivate" {
      throw Refusal("\(name) is \(symbol.accessLevel): no other file can conform to it")
    }
    text = symbol.text
    isPublic = symbol.accessLevel == "public" || symbol.accessLevel == "open"
    var seen: Set<String> = []
    try collect(symbol.id, name, from: graph, graphs, &seen)
  }

  private mutating func collect(
    _ id: String, _ title: String, from graph: SymbolGraph, _ graphs: SymbolGraphs,
    _ seen: inout Set<String>
  ) throws {
    guard !seen.contains(id), !Self.markers.contains(id) else { return }
    if id == "s:10Foundation16NSObjectProtocolP" {
      (isNSObject, isClassBound) = (true, true)
      modules.insert("Foundation")
      return
    }
    if let reason = Self.refused[id] { throw Refusal("\(name) \(reason)") }
    guard let symbol = graph.symbols.first(where: { $0.id == id }) else {
      guard let home = id.definingModule, home != graph.module.name else {
        throw Refusal(
          "\(name) inherits \(title), but the symbol graph of \(graph.module.name) has no such protocol"
        )
      }
      return try collect(id, title, from: graphs.graph(of: home), graphs, &seen)
    }
    seen.insert(id)
    if symbol.text.contains("AnyObject") { isClassBound = true }
    for relation in graph.relationships where relation.source == id {
      switch relation.kind {
      case "conformsTo":
        try collect(relation.target, graph.targetName(of: relation), from: graph, graphs, &seen)
      case "inheritsFrom":
        let superclass = graph.targetName(of: relation)
        throw Refusal("\(name) requires a subclass of \(superclass), but a shim has no superclass")
      default: break
      }
    }
    collectMembers(of: symbol, from: graph)
  }

  private mutating func collectMembers(of symbol: Symbol, from graph: SymbolGraph) {
    let required = Set(
      graph.relationships.filter { $0.kind == "requirementOf" && $0.target == symbol.id }
        .map(\.source))
    let free = Set(
      graph.symbols.filter { $0.swiftExtension?.constraints?.isEmpty ?? true }.map(\.id))
    let defaulted = Set(
      graph.relationships.filter {
        $0.kind == "defaultImplementationOf" && free.contains($0.source)
      }.map(\.target))
    for alias in graph.symbols where alias.kind.identifier == "swift.typealias" {
      guard let equals = alias.text.firstRange(of: " = ") else { continue }
      aliases[alias.pathComponents.joined(separator: ".")] = String(
        alias.text[equals.upperBound...])
      aliases[alias.pathComponents.last ?? ""] = String(alias.text[equals.upperBound...])
    }
    for member in graph.symbols where required.contains(member.id) {
      modules.formUnion(
        member.declarationFragments.compactMap { $0.preciseIdentifier?.definingModule })
      if member.kind.identifier == "swift.associatedtype" {
        associatedTypes.append(member.pathComponents.last ?? "")
        continue
      }
      let requirement = Requirement(member)
      if requirements.contains(where: { $0.declaration == requirement.declaration }) { continue }
      if requirement.isStatic && defaulted.contains(member.id) {
        leftToDefaults.append(requirement)
      } else {
        requirements.append(requirement)
      }
    }
  }

  // Marker protocols, which have no requirements.
  private static let markers: Set<String> = [
    "s:s8SendableP", "s:s16SendableMetatypeP", "s:s8CopyableP", "s:s9EscapableP",
  ]

  private static let refused = [
    "s:ScA": "is for actors: an actor chooses its own executor, and a shim cannot change it",
    "s:11Distributed0A5ActorP": "is for distributed actors, whose executor a shim cannot change",
    "s:s15BitwiseCopyableP": "is for value types, but a shim is an object",
  ]
}

extension String {
  /// The module of the declaration with this precise identifier; nil if the identifier does not
  /// contain it.
  var definingModule: String? {
    guard hasPrefix("s:") else { return nil }
    let name = dropFirst(2)
    // The modules `Swift` and `_Concurrency` have short forms, and need no import.
    guard let length = Int(name.prefix { $0.isNumber }) else {
      return name.hasPrefix("s") || name.hasPrefix("S") ? "Swift" : nil
    }
    return String(name.drop { $0.isNumber }.prefix(length))
  }
}

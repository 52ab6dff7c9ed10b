/// The shim of a protocol: a class that conforms to it and hops every requirement.
struct Shim {
  let model: ProtocolModel
  let choices: Choices
  let destination: Destination
  /// The access modifier of public declarations, with a trailing space; empty if the shim is
  /// internal.
  let access: String
  /// The main-actor protocol to which the target conforms; nil if the target conforms to the shim's
  /// protocol.
  let isolatedProtocol: String?
  /// The module that contains the output file; nil if unknown.
  let home: String?
  /// The command that generates the same file.
  let command: String

  let name: String
  /// The name of the shim's hop: `hop`, with underscores if a requirement or a parameter has that
  /// name.
  let hop: String
  let targetType: String

  init(
    _ model: ProtocolModel, _ choices: Choices, to destination: Destination, isPublic: Bool,
    isIsolated: Bool = false, home: String?, command: String
  ) throws {
    self.model = model
    self.choices = choices
    self.destination = destination
    access = isPublic ? "public " : ""
    self.home = home
    self.command = command
    name = model.name.filter { $0 != "." } + "Hop"
    hop = unique(
      "hop", among: model.requirements.flatMap { [$0.name] + $0.parameters.map(\.name) })
    let isolatedProtocol = isIsolated ? model.name.filter { $0 != "." } + "OnMain" : nil
    self.isolatedProtocol = isolatedProtocol
    targetType =
      model.associatedTypes.isEmpty
      ? "any \(isolatedProtocol ?? model.name)" : unique("Target", among: model.associatedTypes)
    if isIsolated { try Self.checkIsolation(of: model, to: destination) }
    if isPublic && !model.isPublic {
      throw Refusal("\(model.name) is not public, so its shim cannot be public")
    }
    try choices.check(against: model.requirements)
    let reasons = model.requirements.compactMap { requirement in
      requirement.refusal(choices, model.aliases, to: destination)
        .map { "\(requirement.declaration): \($0)" }
    }
    if !reasons.isEmpty { throw Refusal(reasons.joined(separator: "\n")) }
  }

  /// The source text of the generated file.
  var source: String {
    var lines = Lines()
    lines.add("// swift-format-ignore-file")
    lines.add("// Generated; to generate it again:")
    lines.add("// \(command)")
    lines.add("")
    for module in imports { lines.add("import \(module)") }
    lines.add("")
    if let isolatedProtocol { add(isolated: isolatedProtocol, to: &lines) }
    if sharesConformance { addBound(to: &lines) }
    lines.add(
      "/// Moves every call of a `\(model.name)` to \(place), in order. Holds its target weakly.")
    lines.block("\(access)final class \(name)\(generics): \(parents)") { lines in
      addHead(to: &lines)
      for requirement in model.requirements {
        lines.add("")
        if requirement.kind == .method {
          add(method: requirement, to: &lines)
        } else {
          add(property: requirement, to: &lines)
        }
      }
      for requirement in model.leftToDefaults {
        lines.add("")
        lines.add(
          "// Keeps its default, because there is no target to call: \(requirement.declaration)"
        )
      }
      if lines.text.contains("HopArgument") { addHopArgument(to: &lines) }
    }
    return lines.text
  }

  /// Adds a wrapper for arguments. The compiler cannot check that the caller does not use an
  /// argument after the call.
  private func addHopArgument(to lines: inout Lines) {
    lines.add("")
    lines.add("/// An argument on its way to the target: the caller must not use it afterwards.")
    lines.block("private struct HopArgument<Value>: @unchecked Sendable") { lines in
      lines.add("let value: Value")
      lines.add("")
      lines.add("init(_ value: Value) { self.value = value }")
    }
  }

  private var imports: [String] {
    let folded = model.modules.union([model.module, "ThreadAffinity"])
      .union(destination == .queue ? ["Dispatch"] : [])
      .map {
        $0.hasPrefix("Foundation") && $0 != "FoundationNetworking" && $0 != "FoundationXML"
          ? "Foundation" : $0
      }
    return Set(folded).subtracting(["Swift", "_Concurrency", home ?? ""])
      .filter { !$0.hasPrefix("_") }.sorted()
  }

  private var place: String { destination == .main ? "the main queue" : "a queue" }

  private var generics: String {
    if model.associatedTypes.isEmpty { return "" }
    return "<\(targetType): \(sharesConformance ? boundName : bound)>"
  }

  /// True if the closure of an asynchronous call uses the conformance of a generic target.
  private var sharesConformance: Bool {
    !model.associatedTypes.isEmpty && model.requirements.contains(where: \.isAsync)
  }

  private var boundName: String { "\(name)Target" }

  /// Adds the bound of a target whose conformance may be used in a `@Sendable` closure (SE-0470).
  private func addBound(to lines: inout Lines) {
    lines.add("#if compiler(>=6.2)")
    lines.add("/// The targets of `\(name)`: their conformance must not be isolated to an actor.")
    lines.add("\(access)typealias \(boundName) = \(bound) & SendableMetatype")
    lines.add("#else")
    lines.add("\(access)typealias \(boundName) = \(bound)")
    lines.add("#endif")
    lines.add("")
  }

  private var bound: String {
    isolatedProtocol ?? (model.isClassBound ? model.name : "\(model.name) & AnyObject")
  }

  private var parents: String {
    (model.isNSObject ? ["NSObject"] : []).joined() + (model.isNSObject ? ", " : "")
      + "\(model.name), Sendable"
  }

  private var hopType: String {
    "\(destination == .main ? "MainHop" : "QueueHop")<\(targetType)>"
  }

  private func addHead(to lines: inout Lines) {
    for type in model.associatedTypes {
      lines.add("\(access)typealias \(type) = \(targetType).\(type)")
    }
    if !model.associatedTypes.isEmpty { lines.add("") }
    let isolation = model.isMain ? "nonisolated " : ""
    lines.add("/// The hop to the target; `cancel()` drops pending and later calls.")
    lines.add("\(access)\(isolation)let \(hop): \(hopType)")
    for requirement in model.requirements where choices.isLatest(requirement) {
      lines.add(
        "private let \(sender(of: requirement)): @Sendable (HopArgument<\(tuple(of: requirement))>) -> Void"
      )
    }
    lines.add("")
    lines.add("/// Creates a shim for `target`, and holds it weakly.")
    let target = model.associatedTypes.isEmpty ? "any \(bound)" : targetType
    let queue = destination == .queue ? ", to queue: DispatchQueue" : ""
    lines.add("\(access)\(isolation)init(")
    lines.add("  _ target: \(target)\(queue), delivery: HopDelivery = .automatic,")
    lines.add("  file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,")
    lines.add("  function: StaticString = #function")
    lines.block(")") { lines in
      lines.add("\(hop) = \(hopType.prefix { $0 != "<" })(")
      lines.add(
        "  target\(queue.isEmpty ? "" : ", to: queue"), \"\(model.name)\", delivery: delivery,")
      lines.add("  file: file, line: line, column: column, function: function)")
      for requirement in model.requirements where choices.isLatest(requirement) {
        addSender(of: requirement, to: &lines)
      }
    }
  }
}

/// Returns `name` with as many trailing underscores as needed to differ from all others.
func unique(_ name: String, among others: [String]) -> String {
  others.contains(name) ? unique(name + "_", among: others) : name
}

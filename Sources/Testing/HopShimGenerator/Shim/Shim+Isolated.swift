// The main-actor protocol with the same requirements as the shim's protocol.
extension Shim {
  /// True if the target is known to be an object, so that mutating calls do not change the
  /// reference.
  var targetIsClassBound: Bool { model.isClassBound || isolatedProtocol != nil }

  /// Throws an error if a main-actor protocol is useless or impossible for this model.
  static func checkIsolation(of model: ProtocolModel, to destination: Destination) throws {
    if destination != .main {
      throw Refusal("--isolated is for the main actor and conflicts with --destination")
    }
    if model.isMain {
      throw Refusal("\(model.name) is already isolated to the main actor: omit --isolated")
    }
    if !model.associatedTypes.isEmpty {
      throw Refusal("\(model.name) has associated types, which --isolated does not support")
    }
  }

  func add(isolated name: String, to lines: inout Lines) {
    lines.add("/// The requirements of `\(model.name)`, for a class isolated to the main actor.")
    lines.add("@MainActor")
    lines.block("\(access)protocol \(name): AnyObject") { lines in
      for requirement in model.requirements {
        for attribute in requirement.attributes where attribute != "@MainActor" {
          lines.add(attribute)
        }
        if requirement.isDeprecated { lines.add("@available(*, deprecated)") }
        lines.add(declaration(of: requirement))
      }
    }
    lines.add("")
  }

  private func declaration(of requirement: Requirement) -> String {
    let effects =
      (requirement.isAsync ? " async" : "") + (requirement.throwing.map { " \($0)" } ?? "")
    let accessors = "{ get\(effects)\(requirement.hasSetter ? " set" : "") }"
    let isMethod = requirement.kind == .method
    let parameters = requirement.parameters.map { $0.declared(sharingNames: isMethod) }
      .joined(separator: ", ")
    switch requirement.kind {
    case .method:
      let result = requirement.returns ? " -> \(requirement.result)" : ""
      return "func \(requirement.name)\(requirement.generics)(\(parameters))\(effects)\(result)"
        + requirement.constraints
    case .property:
      return "var \(requirement.name): \(requirement.result) \(accessors)"
    case .subscriptMember:
      return "subscript\(requirement.generics)(\(parameters)) -> \(requirement.result)"
        + "\(requirement.constraints) \(accessors)"
    }
  }
}

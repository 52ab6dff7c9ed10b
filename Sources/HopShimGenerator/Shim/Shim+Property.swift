// How a property or a subscript hops.
extension Shim {
  func add(property: Requirement, to lines: inout Lines) {
    addAttributes(of: property, to: &lines)
    let isolation = isolation(of: property)
    if property.kind == .property {
      lines.block("\(isolation)var \(property.name): \(property.result)") { lines in
        addAccessors(of: property, to: &lines)
      }
    } else {
      addSignature(
        "\(isolation)subscript\(property.generics)", property.parameters,
        " -> \(property.result)\(property.constraints)", sharingNames: false, to: &lines
      ) { lines in addAccessors(of: property, to: &lines) }
    }
  }

  private func addAccessors(of property: Requirement, to lines: inout Lines) {
    let effects =
      (property.isAsync ? " async" : "") + (property.throwing.map { " \($0)" } ?? "")
    lines.block("get\(effects)") { lines in
      addHandover(of: property, to: &lines)
      addHop(of: Call(property, in: self), to: &lines)
    }
    guard property.hasSetter else { return }
    lines.block("set") { lines in
      let call = Call(property, in: self, setting: true)
      let passed = passed(of: property)
      let names = (property.parameters.map(\.name) + ["newValue"])
      let pattern = names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
      lines.add("let \(passed) = Handover(\(pattern))")
      lines.block("\(hop).send { \(call.target) in") { lines in
        lines.add("let \(pattern) = \(passed).value")
        if let preparation = call.preparation { lines.add(preparation) }
        lines.add(call.expression)
      }
    }
  }
}

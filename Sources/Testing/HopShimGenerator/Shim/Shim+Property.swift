// The hop of a property or a subscript.
extension Shim {
  func add(property: Requirement, to lines: inout Lines) {
    addAttributes(of: property, to: &lines)
    let isolation = access + isolation(of: property)
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
      addHop(of: Call(property, in: self), to: &lines)
    }
    guard property.hasSetter else { return }
    lines.block("set") { lines in
      addSend(of: Call(property, in: self, setting: true), isSetting: true, to: &lines)
    }
  }
}

// How a method hops.
extension Shim {
  func add(method: Requirement, to lines: inout Lines) {
    addAttributes(of: method, to: &lines)
    let tail = signatureTail(of: method)
    let head = isolation(of: method) + "func \(method.name)\(method.generics)"
    addSignature(head, method.parameters, tail, sharingNames: true, to: &lines) { lines in
      if choices.isLatest(method) {
        lines.add("\(channel(of: method)).send(Handover(\(names(of: method))))")
      } else {
        addHandover(of: method, to: &lines)
        let call = Call(method, in: self)
        addHop(of: call, to: &lines)
      }
    }
  }

  func addAttributes(of requirement: Requirement, to lines: inout Lines) {
    if requirement.isDeprecated { lines.add("@available(*, deprecated)") }
    for attribute in requirement.attributes { lines.add(attribute) }
  }

  func isolation(of requirement: Requirement) -> String {
    if let word = requirement.modifiers.first(where: { $0.hasPrefix("nonisolated") }) {
      return word + " "
    }
    return model.isMain && !requirement.isMain ? "nonisolated " : ""
  }

  private func signatureTail(of method: Requirement) -> String {
    let effects = (method.isAsync ? " async" : "") + (method.throwing.map { " \($0)" } ?? "")
    return effects + (method.returns ? " -> \(method.result)" : "") + method.constraints
  }

  /// Adds a declaration, one parameter to a line where it does not fit.
  func addSignature(
    _ head: String, _ parameters: [Parameter], _ tail: String, sharingNames: Bool,
    to lines: inout Lines, _ body: (inout Lines) -> Void
  ) {
    let declared = parameters.map { $0.declared(sharingNames: sharingNames) }
    let line = "\(head)(\(declared.joined(separator: ", ")))\(tail)"
    if lines.fits(line + " {") { return lines.block(line, body) }
    lines.add("\(head)(")
    for (index, parameter) in declared.enumerated() {
      lines.add("  \(parameter)\(index + 1 < declared.count ? "," : "")")
    }
    lines.block(")\(tail)", body)
  }

  /// What a requirement's arguments are handed over as.
  func names(of requirement: Requirement) -> String {
    let names = requirement.parameters.map(\.name)
    return names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
  }

  func tuple(of requirement: Requirement) -> String {
    let types = requirement.parameters.map(\.type)
    return types.count == 1 ? types[0] : "(\(types.joined(separator: ", ")))"
  }

  func addHandover(of requirement: Requirement, to lines: inout Lines) {
    if requirement.parameters.isEmpty { return }
    lines.add("let \(passed(of: requirement)) = Handover(\(names(of: requirement)))")
  }

  func passed(of requirement: Requirement) -> String {
    unique("passed", among: requirement.parameters.map(\.name))
  }

  /// Adds what takes the arguments out of the handover.
  func addTaking(of requirement: Requirement, to lines: inout Lines) {
    guard !requirement.parameters.isEmpty else { return }
    let word = requirement.parameters.allSatisfy(\.isInout) ? "var" : "let"
    lines.add("\(word) \(names(of: requirement)) = \(passed(of: requirement)).value")
    if word == "var" { return }
    for parameter in requirement.inouts { lines.add("var \(parameter.name) = \(parameter.name)") }
  }

  func channel(of requirement: Requirement) -> String {
    unique("latest" + requirement.baseName.capitalizedFirst, among: model.requirements.map(\.name))
  }

  func addChannel(of requirement: Requirement, to lines: inout Lines) {
    lines.block("\(channel(of: requirement)) = \(hop).channel(.latest) { target, values in") { lines in
      lines.block("for value in values") { lines in
        if !requirement.parameters.isEmpty { lines.add("let \(names(of: requirement)) = value.value") }
        lines.add(Call(requirement, in: self, target: "target").expression)
      }
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

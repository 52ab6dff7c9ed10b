// The hop of a method.
extension Shim {
  func add(method: Requirement, to lines: inout Lines) {
    addAttributes(of: method, to: &lines)
    let tail = signatureTail(of: method)
    let head = access + isolation(of: method) + "func \(method.name)\(method.generics)"
    addSignature(head, method.parameters, tail, sharingNames: true, to: &lines) { lines in
      if choices.isLatest(method) {
        lines.add("\(sender(of: method))(HopArgument(\(names(of: method))))")
      } else {
        addHop(of: Call(method, in: self), to: &lines)
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

  /// Adds a declaration. If the declaration does not fit on one line, each parameter is on a
  /// separate line.
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

  /// The requirement's arguments as one expression: a name, or a tuple of names.
  func names(of requirement: Requirement) -> String {
    let names = requirement.parameters.map(\.name)
    return names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
  }

  func tuple(of requirement: Requirement) -> String {
    let types = requirement.parameters.map(\.type)
    return types.count == 1 ? types[0] : "(\(types.joined(separator: ", ")))"
  }

  func sender(of requirement: Requirement) -> String {
    let words = requirement.title.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let name = "latest" + words.map(\.capitalizedFirst).joined()
    return unique(name, among: model.requirements.map(\.name))
  }

  func addSender(of requirement: Requirement, to lines: inout Lines) {
    let taken = requirement.parameters.map(\.name)
    let (value, values) = (unique("value", among: taken), unique("values", among: taken))
    let call = Call(requirement, in: self)
    lines.block(
      "\(sender(of: requirement)) = \(hop).sender(coalescing: .latest) { \(call.target), \(values) in"
    ) { lines in
      lines.block("for \(value) in \(values)") { lines in
        if !taken.isEmpty { lines.add("let \(names(of: requirement)) = \(value).value") }
        if let preparation = call.preparation { lines.add(preparation) }
        lines.add(call: call.plainExpression)
      }
    }
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

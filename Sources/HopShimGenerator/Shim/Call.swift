/// The call that a hop makes for a requirement.
struct Call {
  let requirement: Requirement
  /// What the target is called inside the hop.
  let target: String
  /// The expression of the call, without `try` and `await`.
  let expression: String
  /// What comes before it: a class may be asked for what changes it, but not through a constant.
  let preparation: String?
  let `default`: String?
  let wait: String?
  let completion: Requirement.Completion

  init(_ requirement: Requirement, in shim: Shim, target: String? = nil, setting: Bool = false) {
    self.requirement = requirement
    let name =
      target ?? unique("target", among: requirement.parameters.map(\.name) + ["newValue"])
    self.target = name
    let arguments = requirement.parameters.map(\.passed).joined(separator: ", ")
    let member =
      switch requirement.kind {
      case .method: "\(name).\(requirement.name)(\(arguments))"
      case .property: "\(name).\(requirement.name)"
      case .subscriptMember: "\(name)[\(arguments)]"
      }
    expression = setting ? "\(member) = newValue" : member
    let changes = setting ? requirement.setterMutates : requirement.isMutating
    preparation = changes && !shim.model.isClassBound ? "var \(name) = \(name)" : nil
    `default` = shim.choices.default(for: requirement)
    wait = shim.choices.wait(for: requirement)
    completion = setting ? .none : requirement.completion(shim.choices, shim.model.aliases)
  }

  /// The call with the words that its effects want.
  var awaited: String {
    (requirement.throwing == nil ? "" : "try ") + (requirement.isAsync ? "await " : "") + expression
  }

  /// What the caller is answered where nobody answers.
  var fallback: String {
    `default` ?? KnownDefault.value(of: requirement.result) ?? "()"
  }

  /// The same, as a `Result`.
  var fallbackResult: String {
    guard let failure = requirement.failure else { return ".success(\(fallback))" }
    if let stated = `default` {
      return stated.hasPrefix("throw ") ? ".failure(\(stated.dropFirst(6)))" : ".success(\(stated))"
    }
    return failure == "any Error" || failure == "CancellationError"
      ? ".failure(CancellationError())" : ".success(\(fallback))"
  }

  /// The same, with its type where the compiler cannot tell.
  var typedFallback: String {
    "Result<\(requirement.result), \(requirement.failure ?? "Never")>\(fallbackResult)"
  }
}

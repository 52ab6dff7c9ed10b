/// The call that a hop makes for a requirement.
struct Call {
  let requirement: Requirement
  /// The name of the target inside the hop.
  let target: String
  /// The expression of the call, without `try` and `await`.
  let expression: String
  /// The expression of the call with unwrapped arguments.
  let plainExpression: String
  /// A statement before the call; nil if the call needs none. Mutating calls need a variable unless
  /// the target is known to be an object.
  let preparation: String?
  /// The captures of the hop's closure.
  let captures: [String]
  /// Copies of `inout` arguments that the target may change.
  let copies: [String]
  let `default`: String?
  let wait: String?
  let completion: Requirement.Completion

  init(_ requirement: Requirement, in shim: Shim, setting: Bool = false) {
    self.requirement = requirement
    let name = unique("target", among: requirement.parameters.map(\.name) + ["newValue"])
    target = name
    func expression(_ arguments: [String]) -> String {
      let joined = arguments.joined(separator: ", ")
      let member =
        switch requirement.kind {
        case .method: "\(name).\(requirement.name)(\(joined))"
        case .property: "\(name).\(requirement.name)"
        case .subscriptMember: "\(name)[\(joined)]"
        }
      return setting ? "\(member) = newValue.value" : member
    }
    self.expression = expression(requirement.parameters.map(\.passed))
    plainExpression = expression(requirement.parameters.map(\.plain))
    captures =
      requirement.parameters.filter(\.isHandedOver).map { parameter in
        let inner = parameter.isInout ? Self.before(parameter, in: requirement) : parameter.name
        return "\(inner) = HopArgument(\(parameter.name))"
      } + (setting ? ["newValue = HopArgument(newValue)"] : [])
    copies = requirement.inouts.map { "var \($0.name) = \(Self.before($0, in: requirement)).value" }
    let changes = setting ? requirement.setterMutates : requirement.isMutating
    preparation = changes && !shim.targetIsClassBound ? "var \(name) = \(name)" : nil
    `default` = shim.choices.default(for: requirement)
    wait = shim.choices.wait(for: requirement)
    completion = setting ? .none : requirement.completion(shim.choices, shim.model.aliases)
  }

  private static func before(_ parameter: Parameter, in requirement: Requirement) -> String {
    unique("old\(parameter.name.capitalizedFirst)", among: requirement.parameters.map(\.name))
  }

  /// The call with `try` and `await` as its effects require.
  var awaited: String {
    (requirement.throwing == nil ? "" : "try ") + (requirement.isAsync ? "await " : "") + expression
  }

  /// The value for the caller if the target does not answer.
  var fallback: String {
    `default` ?? KnownDefault.value(of: requirement.result) ?? "()"
  }

  /// The fallback as a `Result`.
  var fallbackResult: String {
    guard let failure = requirement.failure else { return ".success(\(fallback))" }
    if let stated = `default` {
      return stated.hasPrefix("throw ") ? ".failure(\(stated.dropFirst(6)))" : ".success(\(stated))"
    }
    return failure == "any Error" || failure == "CancellationError"
      ? ".failure(CancellationError())" : ".success(\(fallback))"
  }

  /// The fallback as a `Result` with an explicit type, for type inference.
  var typedFallback: String {
    "Result<\(requirement.result), \(requirement.failure ?? "Never")>\(fallbackResult)"
  }
}

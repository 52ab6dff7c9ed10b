extension Requirement {
  /// The reason why no shim can hop this requirement with the author's choices; `nil` if a shim
  /// can.
  func refusal(_ choices: Choices, _ aliases: [String: String], to destination: Destination)
    -> String?
  {
    refusalOfForm(to: destination) ?? parameters.lazy.compactMap { refusal(of: $0, aliases) }.first
      ?? refusalOfCoalescing(choices, aliases) ?? refusalOfAnswer(choices, aliases)
  }

  private func refusalOfForm(to destination: Destination) -> String? {
    if isStatic { return "a static requirement has no target to call" }
    if modifiers.contains("consuming") {
      return "a consuming requirement cannot consume the shared target"
    }
    if throwing == "rethrows" { return "the closure may not outlive the call" }
    if generics.contains("each ") { return "parameter packs are not supported" }
    if mentionsSelf {
      return
        "`Self` would be the type of the shim for the caller, but the type of the target in the call"
    }
    if isMain && destination == .queue {
      return "the requirement belongs to the main actor, not to a queue"
    }
    if result.hasPrefix("sending ") { return "a `sending` result is not supported" }
    let known: Set<String> = ["@MainActor", "@discardableResult", "@preconcurrency", "@concurrent"]
    let others = attributes.filter { !known.contains($0) }
    return others.isEmpty
      ? nil : "the requirement belongs to \(others.joined(separator: " ")), not to the main queue"
  }

  private var mentionsSelf: Bool {
    (parameters.map(\.type) + [result, constraints]).contains { type in
      type.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains("Self")
    }
  }

  private func refusal(of parameter: Parameter, _ aliases: [String: String]) -> String? {
    if parameter.text.hasSuffix("...") { return "variadic arguments cannot be passed on" }
    if parameter.attributes.contains("@autoclosure") {
      return "\(parameter.name) is an autoclosure, and would be evaluated after the call"
    }
    if parameter.specifiers.contains("borrowing") || parameter.specifiers.contains("__shared") {
      return "\(parameter.name) is borrowed, and may not outlive the call"
    }
    if parameter.specifiers.contains("isolated") {
      return "\(parameter.name) selects the executor, which only the hop may do"
    }
    let isEscaping = parameter.attributes.contains("@escaping")
    guard let closure = ClosureType(parameter.type, aliases: aliases) else {
      return isEscaping ? "the type of \(parameter.name) hides the closure's parameters" : nil
    }
    return isEscaping || closure.isOptional
      ? nil : "the closure \(parameter.name) may not outlive the call"
  }

  private func refusalOfCoalescing(_ choices: Choices, _ aliases: [String: String]) -> String? {
    guard choices.isLatest(self) else { return nil }
    let isAwaited = returns || isAsync || throwing != nil || !inouts.isEmpty
    if kind != .method || isAwaited || !completions(aliases).isEmpty {
      return "each caller waits for the result, so no call may be skipped"
    }
    if parameters.contains(where: { ClosureType($0.type, aliases: aliases) != nil }) {
      return "a closure cannot be stored until the delivery"
    }
    return generics.isEmpty ? nil : "generic values cannot be stored until the delivery"
  }

  private func refusalOfAnswer(_ choices: Choices, _ aliases: [String: String]) -> String? {
    let answers = returns || isAsync || throwing != nil || !inouts.isEmpty
    if answers && !completions(aliases).isEmpty {
      return
        "the requirement returns a value and takes a completion handler, but a default can set only one"
    }
    if let wait = choices.wait(for: self) {
      if Double(wait).map({ $0 > 0 }) != true { return "\(wait) is not a number of seconds" }
      if isAsync { return "an asynchronous caller waits without a limit" }
      let isAnswered = kind != .method || returns || throwing != nil || !inouts.isEmpty
      if !isAnswered { return "the requirement has no result to wait for" }
    } else if !isAsync {
      if !inouts.isEmpty {
        return "the requirement changes an argument: set the time to wait, --wait '\(title)=1'"
      }
      if throwing != nil {
        return "the requirement throws: set the time to wait, --wait '\(title)=1'"
      }
    }
    if !inouts.isEmpty && (throwing != nil || isAsync) {
      return
        "the requirement changes an argument and may throw or suspend: one answer cannot carry both"
    }
    if let failure, choices.default(for: self) == nil {
      return failure == "any Error" || failure == "CancellationError"
        ? nil
        : "the requirement throws \(failure): set the error to throw without an answer, --default '\(title)=throw …'"
    }
    if returns { return refusalOfResult(choices) }
    return completion(choices, aliases) == .unknown
      ? "give the arguments of the completion handler for a dropped call: --default '\(title)=…'"
      : nil
  }

  private func refusalOfResult(_ choices: Choices) -> String? {
    if choices.default(for: self) != nil || KnownDefault.value(of: result) != nil { return nil }
    if choices.wait(for: self) == nil && !isAsync && !isMain {
      return
        "the requirement returns \(result): give a value, --default '\(title)=…'; with --wait '\(title)=1' "
        + "the value is used only if no answer comes in that time"
    }
    return
      "the requirement returns \(result): give a value to return without an answer, --default '\(title)=…'"
  }
}

extension Requirement {
  /// The default call of a completion handler when a call of the shim is dropped.
  enum Completion: Equatable {
    case none
    case call(String, isMain: Bool)
    case unknown
  }

  /// The parameters that are completion handlers.
  func completions(_ aliases: [String: String]) -> [(parameter: Parameter, type: ClosureType)] {
    parameters.compactMap { parameter in
      guard let type = ClosureType(parameter.type, aliases: aliases), type.isCompletion else {
        return nil
      }
      return (parameter, type)
    }
  }

  func completion(_ choices: Choices, _ aliases: [String: String]) -> Completion {
    let handlers = completions(aliases)
    guard let handler = handlers.first else { return .none }
    let stated = choices.default(for: self)
    if handlers.count > 1 {
      guard let stated, let told = handlers.first(where: { stated.hasPrefix($0.parameter.name) })
      else { return .unknown }
      return .call(stated, isMain: told.parameter.isMain || told.type.isMain)
    }
    let values = handler.type.arguments.map(KnownDefault.value)
    if stated == nil && values.contains(nil) { return .unknown }
    let arguments = stated ?? values.compactMap { $0 }.joined(separator: ", ")
    let call = "\(handler.parameter.name)\(handler.type.isOptional ? "?" : "")(\(arguments))"
    return .call(call, isMain: handler.parameter.isMain || handler.type.isMain)
  }
}

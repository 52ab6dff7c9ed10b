// The hop in the body of a requirement.
extension Shim {
  /// Adds the hop that matches the result for which the caller waits.
  func addHop(of call: Call, to lines: inout Lines) {
    let requirement = call.requirement
    if requirement.isAsync {
      addAsynchronousAnswer(of: call, to: &lines)
    } else if !requirement.inouts.isEmpty {
      addChangedArguments(of: call, to: &lines)
    } else if requirement.throwing != nil {
      addResult(of: call, to: &lines)
    } else if requirement.returns, let wait = call.wait ?? (requirement.isMain ? "1" : nil) {
      // On the main actor, the call runs at once on the caller's thread.
      let head = "return \(hop).ask(within: .seconds(\(wait)), orElse: \(call.fallback))"
      addBody(of: call, head + " {", "return \(call.expression)", to: &lines)
    } else {
      addSend(of: call, to: &lines)
      if requirement.returns { lines.add("return \(call.fallback)") }
    }
  }

  /// Adds a hop's closure. `head` ends with the opening brace.
  private func addBody(
    of call: Call, _ head: String, signature: String? = nil, _ statements: String...,
    closing tail: String = "}", to lines: inout Lines
  ) {
    let signature = "\(signature ?? call.target) in"
    let captures = call.captures.joined(separator: ", ")
    let isShort = lines.fits("\(head) [\(captures)] \(signature)")
    let start = captures.isEmpty ? signature : "[\(captures)] \(signature)"
    lines.block(isShort || captures.isEmpty ? "\(head) \(start)" : head, closing: tail) { lines in
      if !isShort && !captures.isEmpty { lines.add(captures: call.captures, signature) }
      for copy in call.copies { lines.add(copy) }
      if let preparation = call.preparation { lines.add(preparation) }
      for statement in statements { lines.add(call: statement) }
    }
  }

  /// Adds a hop without a result. If the hop is dropped, it calls the completion handler with
  /// default values.
  func addSend(of call: Call, isSetting: Bool = false, to lines: inout Lines) {
    let statement = (call.requirement.returns && !isSetting ? "_ = " : "") + call.expression
    let head = "\(hop).send {"
    guard case .call(let completion, let isMain) = call.completion else {
      return addBody(of: call, head, statement, to: &lines)
    }
    addBody(of: call, head, statement, closing: "} orElse: {", to: &lines)
    lines.add(isMain ? "  Task { @MainActor in \(completion) }" : "  \(completion)")
    lines.add("}")
  }

  private func addAsynchronousAnswer(of call: Call, to lines: inout Lines) {
    let requirement = call.requirement
    let words =
      (requirement.returns ? "return " : "")
      + (requirement.throwing == nil ? "await" : "try await")
    let effects = requirement.throwing.map { " async \($0) -> \(requirement.result)" }
    addBody(
      of: call, "\(words) \(hop).ask(orElse: \(call.fallbackResult)) {",
      signature: effects.map { "(\(call.target))\($0)" },
      "\(requirement.returns ? "return " : "")\(call.awaited)", to: &lines)
  }

  private func addResult(of call: Call, to lines: inout Lines) {
    let requirement = call.requirement
    let wait = call.wait ?? "1"
    lines.add("let answer = \(hop).ask(")
    lines.add("  within: .seconds(\(wait)), orElse: \(call.typedFallback)")
    let effects = "() \(requirement.throwing ?? "throws") -> \(requirement.result)"
    addBody(
      of: call, ") {", "return Result { \(effects) in try \(call.expression) }", to: &lines)
    lines.add("\(requirement.returns ? "return " : "")try answer.get()")
  }

  private func addChangedArguments(of call: Call, to lines: inout Lines) {
    let requirement = call.requirement
    let changed = requirement.inouts
    var values = changed.map(\.name)
    var types = changed.map(\.type)
    if requirement.returns {
      values.insert("result", at: 0)
      types.insert(requirement.result, at: 0)
    }
    func joined(_ parts: [String]) -> String {
      parts.count == 1 ? parts[0] : "(\(parts.joined(separator: ", ")))"
    }
    addBody(
      of: call, "let answer = \(hop).ask(within: .seconds(\(call.wait ?? "1")), orElse: nil) {",
      signature: "\(call.target) -> \(joined(types))?",
      (requirement.returns ? "let result = " : "") + call.expression,
      "return \(joined(values))", to: &lines)
    lines.add("guard let answer else { return\(requirement.returns ? " \(call.fallback)" : "") }")
    for (index, value) in values.enumerated() {
      let part = values.count == 1 ? "answer" : "answer.\(index)"
      if value != "result" { lines.add("\(value) = \(part)") }
    }
    if requirement.returns { lines.add("return answer.0") }
  }
}

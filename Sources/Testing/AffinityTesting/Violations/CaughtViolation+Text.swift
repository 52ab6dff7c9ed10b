import ThreadAffinity

extension CaughtViolation: CustomStringConvertible {
  /// The message of a failed test: event, place, origin and stack.
  var description: String { ([text] + (doubt.map { ["  \($0)"] } ?? [])).joined(separator: "\n") }

  /// The message without the note about an uncertain attribution.
  var text: String {
    var lines = head
    let stack = StackText.lines(stack)
    if !stack.isEmpty { lines.append("  stack, newest first:") }
    lines += stack.map { "    \($0)" }
    for sender in senders {
      let stack = StackText.lines(sender, limit: 6)
      if !stack.isEmpty { lines.append("  sent from:") }
      lines += stack.map { "    \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  private var head: [String] {
    let site = violation.site.map { "\($0) in \($0.function)" }
    // A hop with a lost target calls no function, and its origins repeat the hop's call site.
    if LostTargets.isReported(by: violation) {
      return [violation.message] + (site.map { ["  the hop was created at \($0)"] } ?? [])
    }
    return ["affinity violation: \(violation)"] + (site.map { ["  checked at \($0)"] } ?? [])
      + violation.origins.map { "  \($0)" }
  }

  /// The code that led to the violation, newest first: the stack of the violation, then the stacks
  /// of its senders.
  var frames: [StackFrame] { ([stack] + senders).flatMap { StackText.frames($0) } }

  private var doubt: String? {
    let origin =
      senders.isEmpty
      ? "The violation came from a thread that no test started"
      : "No known test started the code that sent this call"
    return switch attribution {
    case .own: nil
    case .only: "\(origin); no other test was checked at that time."
    case .shared: "\(origin)."
    }
  }
}

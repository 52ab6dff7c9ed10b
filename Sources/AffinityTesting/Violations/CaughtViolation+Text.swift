import ThreadAffinity

extension CaughtViolation: CustomStringConvertible {
  /// What a failed test says of it: what happened, where, from where it was sent, on which stack.
  var description: String { ([text] + (doubt.map { ["  \($0)"] } ?? [])).joined(separator: "\n") }

  /// The same without a word on whose it is.
  var text: String {
    var lines = ["affinity violation: \(violation)"]
    if let site = violation.site { lines.append("  checked at \(site) in \(site.function)") }
    lines += violation.origins.map { "  \($0)" }
    let stack = StackText.lines(stack)
    if !stack.isEmpty { lines.append("  stack, newest first:") }
    lines += stack.map { "    \($0)" }
    return lines.joined(separator: "\n")
  }

  private var doubt: String? {
    switch attribution {
    case .own: nil
    case .only:
      "It came from a thread that no test has started; no other test was being checked then."
    case .shared: "It came from a thread that no test has started."
    }
  }
}

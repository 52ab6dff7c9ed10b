import IncidentModel
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
    for sender in senders {
      let stack = StackText.lines(sender, limit: 6)
      if !stack.isEmpty { lines.append("  sent from:") }
      lines += stack.map { "    \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  /// The code that led to it, the newest first: on its own stack, then on those of who sent it.
  var frames: [SourceFrame] { ([stack] + senders).flatMap { StackText.frames($0) } }

  private var doubt: String? {
    switch attribution {
    case .own: nil
    case .only:
      "It came from a thread that no test has started; no other test was being checked then."
    case .shared: "It came from a thread that no test has started."
    }
  }
}

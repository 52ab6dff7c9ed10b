/// A broken affinity: what was expected, where the code ran, and who sent it there.
public struct AffinityViolation: Sendable {
  /// What was expected, such as `main queue` or `queue com.example.db`.
  public let expected: String
  /// The message of the check; empty if it has none.
  public let message: String
  /// Where the check is in the source; `nil` for a check of the Swift runtime.
  public let site: CallSite?
  /// Where the code ran.
  public let place: ExecutionPlace
  /// The addresses of the stack, newest first: where calls return to, and in a task then where the async functions go on
  /// that wait; empty without a recorder.
  public let stack: [UInt]
  /// The stack as it was captured: async callers are marked (`StackWord`).
  package let frames: [UInt]
  /// Where the code was sent from, nearest first.
  public let origins: [ViolationOrigin]
  /// How often this check has failed so far, including this time.
  public let occurrence: Int
  /// Whether the verdict is exact; if not, see `MainQueue.doubt`.
  public let isCertain: Bool
  /// Whether it is of work that was marked as UI work.
  package let isUIWork: Bool

  /// Where the code was sent from, if that is known.
  public var origin: ViolationOrigin? { origins.first }
}

extension AffinityViolation: CustomStringConvertible {
  /// The violation in one sentence.
  public var description: String {
    let doubt = isCertain ? "" : "perhaps "
    let reason = message.isEmpty ? "" : "\(message): "
    return "\(reason)expected \(expected), \(doubt)ran on \(place)"
  }

  /// The violation as one line of `key=value` fields.
  package var line: String {
    var line = "mainstay: violation expected=\(quoted(expected)) ran=\(quoted("\(place)"))"
    if !message.isEmpty { line += " message=\(quoted(message))" }
    if let site { line += " at=\(site) in=\(quoted("\(site.function)"))" }
    for origin in origins { line += " origin=\(quoted("\(origin)"))" }
    if occurrence > 1 { line += " occurrence=\(occurrence)" }
    if !isCertain { line += " certain=false" }
    if !frames.isEmpty { line += " stack=\(quoted(stackField(frames)))" }
    return line
  }
}

/// Text that stays one field of one line, whatever it holds.
private func quoted(_ text: String) -> String {
  var field = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": field += "\\\(scalar)"
    case "\n": field += "\\n"
    default: field.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7f ? " " : scalar)
    }
  }
  return field + "\""
}

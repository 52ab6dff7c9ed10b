/// A broken affinity: the expected place, the actual place, and the origin of the code.
public struct AffinityViolation: Sendable {
  /// The expected place, such as `main queue` or `queue com.example.db`.
  public let expected: String
  /// The message of the check; empty if it has none.
  public let message: String
  /// The call site of the check; `nil` for a check of the Swift runtime.
  public let site: CallSite?
  /// The place where the code ran.
  public let place: ExecutionPlace
  /// The return addresses of the stack, newest first, followed in a task by the resume addresses of its async
  /// callers; empty without a recorder.
  public let stack: [UInt]
  /// The captured stack, in which async callers are marked (`StackWord`).
  package let frames: [UInt]
  /// The origins of the code, nearest first.
  public let origins: [ViolationOrigin]
  /// The number of failures of this check so far, including this failure.
  public let occurrence: Int
  /// True if the verdict is exact. A verdict is not exact if libdispatch's layout could not be
  /// verified at start.
  public let isCertain: Bool
  /// True if the check is of work that was marked as UI work.
  package let isUIWork: Bool
  /// True if the code did not run: `place` is the place of its caller.
  package let isOfCaller: Bool

  /// The nearest origin of the code; nil if unknown.
  public var origin: ViolationOrigin? { origins.first }
}

extension AffinityViolation: CustomStringConvertible {
  /// The violation in one sentence.
  public var description: String {
    let doubt = isCertain ? "" : "perhaps "
    let reason = message.isEmpty ? "" : "\(message): "
    let caller = isOfCaller ? "the caller " : ""
    return "\(reason)expected \(expected), \(caller)\(doubt)ran on \(place)"
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

/// Quotes text so that it stays one field of one line.
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

/// Recognizes the errors that a program logged and handled.
enum HandledError {
  /// Whether the line above a stack says that the error ended nothing.
  static func isAnnounced(by line: String) -> Bool {
    let head = line.prefix(96)
    let levels = [
      "WARN", "INFO", "DEBUG", "TRACE", "[WRN]", "[INF]", "[DBG]", "warn:", "info:", "dbug:",
      "Warning:",
    ]
    if levels.contains(where: head.contains) { return true }
    let words = line.lowercased()
    return [
      "exception ignored in", "handled", "caught", "retry", "recovered", "expected", "ignoring",
      "ignored",
      "falling back",
    ].contains { words.contains($0) } && !words.contains("unhandled") && !words.contains("uncaught")
      && !words.contains("unexpected")
  }
}

/// Recognizes the errors that a program logged and handled.
enum HandledError {
  private static let harmless: Set<Substring> = [
    "WARN", "WARNING", "WRN", "INFO", "INF", "DEBUG", "DBG", "TRACE", "TRC",
  ]
  private static let grave: Set<Substring> = [
    "ERROR", "ERR", "SEVERE", "CRITICAL", "CRIT", "CRT", "FATAL", "FTL", "EMERG", "ALERT",
  ]
  private static let heads = ["warn:", "info:", "dbug:", "trce:", "Warning:"]
  private static let handlings = [
    "exception ignored in", "ignoring", "recovered from", "falling back", "retrying",
    "will retry", ", as expected",
  ]

  /// True if the line above a stack shows that the error was handled.
  ///
  /// - Parameter line: The program's log message, without the type and the message of the
  ///   exception.
  static func isAnnounced(by line: some StringProtocol) -> Bool {
    let words = Set(String(line.prefix(96)).split { !$0.isLetter && !$0.isNumber })
    if !words.isDisjoint(with: grave) { return false }
    let said = line[line.startIndex...].trimmed
    if !words.isDisjoint(with: harmless) || heads.contains(where: said.hasPrefix) { return true }
    let text = " " + said.lowercased()
    return handlings.contains { handling in
      text.range(of: handling.first == "," ? handling : " " + handling).map {
        !isDenied(text[..<$0.lowerBound])
      } ?? false
    }
  }

  private static func isDenied(_ before: Substring) -> Bool {
    [" not", " no", " never", " cannot", " without", "n't"].contains(where: before.hasSuffix)
  }
}

/// Recognizes the errors that a passing test provoked.
enum TestLog {
  private static let above = 12
  private static let below = 40

  /// Whether the lines around a report, from its first to the one behind its last, say that a test expected it.
  static func expects(from start: Int, to end: Int, in text: ConsoleText) -> Bool {
    let before = text.lines[..<start].suffix(above).map(\.text)
    let after = text.lines[min(end, text.lines.count)...].prefix(below).map(\.text)
    if before.suffix(3).contains(where: isExpectation)
      || after.prefix(2).contains(where: isExpectation)
    {
      return true
    }
    let verdict = after.first { isPass($0) || isFailure($0) }
    return verdict.map { isPass($0) && !isFailure($0) } ?? false
  }

  private static func isExpectation(_ line: String) -> Bool {
    let words = line.lowercased()
    return [
      "should panic", "expected in this test", "expected exception", "saw expected",
      "expected error",
    ]
    .contains(where: words.contains)
  }

  private static func isPass(_ line: String) -> Bool {
    let marks = [
      "test result: ok", " PASSED", "PASSED ", "[       OK ]", "--- PASS", "All tests passed",
      "... ok",
      "failures=\"0\"",
    ]
    return marks.contains(where: line.contains) || line.hasPrefix("ok ") || line == "PASS"
      || line == "OK"
      || line.contains(" passed") && line.contains(where: \.isNumber)
  }

  private static func isFailure(_ line: String) -> Bool {
    ["FAILED", "FAIL", "[  FAILED  ]", "--- FAIL", " failed"].contains(where: line.contains)
      && !line.contains(" 0 failed")
  }
}

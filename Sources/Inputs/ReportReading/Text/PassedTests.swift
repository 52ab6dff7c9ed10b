/// Removes the output of passed tests, in which a test provoked and expected each exception or
/// crash.
///
/// A service may also log that its checks passed. Therefore only the lines of a test runner count:
/// the line that opens a run or a test, and the verdict below that line.
enum PassedTests {
  /// The beginning of a runner's line, and a substring of the line.
  private typealias Mark = (start: String, part: String)

  private struct Runner: Sendable {
    var opening: Mark
    var passed: Mark
    var failures: [String]
    /// True if the lines cover many tests: if the process died before the verdict, the run did not
    /// pass.
    var isRun = true
  }

  private static let runners = [
    Runner(
      opening: ("running ", " test"), passed: ("test result: ok", ""),
      failures: ["FAILED", "error: test failed"]),
    Runner(
      opening: ("[==========] Running ", ""), passed: ("[  PASSED  ]", ""),
      failures: ["[  FAILED  ]"]),
    Runner(
      opening: ("[ RUN      ]", ""), passed: ("[       OK ]", ""), failures: ["[  FAILED  ]"],
      isRun: false),
    Runner(opening: ("=== RUN", ""), passed: ("ok ", ""), failures: ["--- FAIL", "FAIL\t"]),
    Runner(
      opening: ("=== RUN", ""), passed: ("--- PASS", ""), failures: ["--- FAIL", "FAIL\t"],
      isRun: false),
    Runner(
      opening: ("=", " test session starts "), passed: ("=", " passed in "),
      failures: ["FAILED", " failed, ", " failed in ", " error in ", " errors in "]),
    Runner(
      opening: ("---", " live log "), passed: ("PASSED", ""), failures: ["FAILED"], isRun: false),
    Runner(
      opening: ("Test Suite '", "' started"), passed: ("Test Suite '", "' passed"),
      failures: ["' failed"]),
    Runner(
      opening: ("Test Case '", "' started"), passed: ("Test Case '", "' passed"),
      failures: ["' failed"], isRun: false),
    Runner(
      opening: ("◇ Test ", " started."), passed: ("✔ Test ", " passed after "),
      failures: ["✘ "], isRun: false),
    Runner(
      opening: ("Running ", ""), passed: ("Tests run: ", ", Failures: 0, Errors: 0"),
      failures: ["FAILURE!", "ERROR!"], isRun: false),
    Runner(
      opening: ("<testsuite", " failures=\"0\""), passed: ("</testsuite>", ""),
      failures: ["<failure", "<error"]),
    Runner(
      opening: ("<testcase", ""), passed: ("</testcase>", ""), failures: ["<failure", "<error"],
      isRun: false),
  ]

  private static let checkers = [
    " Thread Checker: ", ThreadSanitizer.header, GoRace.header,
  ]
  private static let deaths = [
    "exit code ", "exited with ", "Segmentation fault", "core dumped", "Program crashed",
    "error: Process",
  ]
  private static let expectations = [
    "should panic", "expected in this test", "expected exception", "saw expected",
    "expected error",
  ]

  /// The text without the output of passed tests; nil if no test passed.
  ///
  /// The output of checkers and sanitizers is kept: their findings fail no test, but are bugs.
  static func removed(from text: [UInt8]) -> [UInt8]? {
    guard mayBeTests(text) else { return nil }
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    let words = lines.map { line in
      let said = String(decoding: line.prefix(400), as: UTF8.self)
      let own = said[LogMargin.end(of: said)...]
      return (own.hasPrefix("[INFO] ") ? own.dropFirst(7) : own).trimmed
    }
    let passed = runners.flatMap { ranges(words, of: $0) }.filter { range in
      // A test of a parser prints the text of its fixture.
      words[range].contains { $0.lowercased().contains("fixture") }
        || !words[range].contains { line in checkers.contains(where: line.contains) }
    }
    let taken = Set(passed.joined())
    guard taken.contains(where: { !lines[$0].allSatisfy(\.isSpace) }) else { return nil }
    let kept = lines.enumerated().map { taken.contains($0.offset) ? [] : $0.element }
    return Array(kept.joined(separator: [10]))
  }

  /// True if the text may contain test output. Rejects most texts cheaply.
  private static func mayBeTests(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      runners.contains { runner in
        [runner.opening, runner.passed].allSatisfy { mark in
          var word = mark.part.isEmpty ? mark.start : mark.part
          return word.withUTF8 { bytes.offset(of: $0) != nil }
        }
      }
    }
  }

  /// The lines from each opening line of a runner to its “passed” verdict. Another opening line
  /// before the verdict restarts the range, because the earlier run may have died.
  private static func ranges(_ lines: [String], of runner: Runner) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    for (place, line) in lines.enumerated() {
      if isMarked(line, runner.opening) {
        start = line.hasSuffix("/>") ? nil : place
      } else if let from = start {
        if isMarked(line, runner.passed), !fails(line, runner) {
          ranges.append(from..<place + 1)
          start = nil
        } else if fails(line, runner) || runner.isRun && dies(line) {
          start = nil
        }
      }
    }
    return ranges
  }

  private static func isMarked(_ line: String, _ mark: Mark) -> Bool {
    line.hasPrefix(mark.start) && (mark.part.isEmpty || line.contains(mark.part))
  }

  private static func fails(_ line: String, _ runner: Runner) -> Bool {
    runner.failures.contains(where: line.contains)
  }

  private static func dies(_ line: String) -> Bool {
    deaths.contains(where: line.contains) && !isExpectation(line)
      && !line.contains(" expected by")
  }

  /// True if the lines around a report say that a test expected it. `start` is the report's first
  /// line, `end` the line after its last.
  static func expects(from start: Int, to end: Int, in text: ConsoleText) -> Bool {
    text.lines[..<start].suffix(3).contains { isExpectation($0.text) }
      || text.lines[min(end, text.lines.count)...].prefix(2).contains { isExpectation($0.text) }
  }

  private static func isExpectation(_ line: String) -> Bool {
    let words = " " + line.lowercased()
    return expectations.contains { words.contains(" " + $0) }
  }
}

/// The output of tests that passed: an exception or a crash in it was provoked and expected.
enum PassedTests {
  /// The text without the output of tests that passed; nil if it has none.
  ///
  /// Violations that a checker printed are kept: they fail no test, and are bugs all the same.
  static func removed(from text: [UInt8]) -> [UInt8]? {
    guard mayBeTests(text) else { return nil }
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    let words = lines.map { String(decoding: $0.prefix(400), as: UTF8.self) }
    var passed = passedCases(words)
    if allPassed(words) { passed = [0..<words.count] }
    passed = passed.filter { range in !words[range].contains { $0.contains(" Thread Checker: ") } }
    let taken = Set(passed.joined())
    guard taken.contains(where: { !lines[$0].allSatisfy(\.isSpace) }) else { return nil }
    let kept = lines.enumerated().map { taken.contains($0.offset) ? [] : $0.element }
    return Array(kept.joined(separator: [10]))
  }

  /// A glance that spares most texts the rest.
  private static func mayBeTests(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      (["<testcase", "[       OK ]", "' passed (", " PASSED"] + summaries).contains { mark in
        var mark = mark
        return mark.withUTF8 { bytes.offset(of: $0) != nil }
      }
    }
  }

  private static let summaries = [
    "All tests passed", "BUILD SUCCESSFUL", "[  PASSED  ]", "Test Suite 'All tests' passed",
    "Test Suite 'Selected tests' passed", " passed in ", "test result: ok", "Tests run: ",
    "Failures: 0, Errors: 0", "failures=\"0\"",
  ]
  private static let failures = [
    "FAILED", " failed", "FAILURE", "[  FAILED", "<failure", "<error", "not ok ", "BUILD FAILED",
    "exit code ",
    "exited with ", "Segmentation fault", "core dumped", "Program crashed", "error: Process",
  ]

  /// Whether a summary says that all tests passed, and nothing says that one failed.
  private static func allPassed(_ lines: [String]) -> Bool {
    guard let last = lines.lastIndex(where: { line in summaries.contains(where: line.contains) })
    else {
      return false
    }
    let isPassed = lines.contains { line in
      [
        "All tests passed", "BUILD SUCCESSFUL", "[  PASSED  ]", "' passed", "test result: ok",
        "Failures: 0, Errors: 0",
      ]
      .contains(where: line.contains) || line.contains(" passed in ") && !line.contains("failed")
        || line.contains("failures=\"0\"") && line.contains("errors=\"0\"")
    }
    // A run that goes on behind its summary may die then.
    let isEnd = lines[(last + 1)...].count(where: { !$0.isEmpty }) < 12
    let isFailed = lines.contains { line in
      failures.contains(where: line.contains) && !line.contains("0 failed")
        && !line.contains("saw expected") && !line.contains("expected in this test")
        && !line.contains("expected by")
    }
    return isPassed && isEnd && !isFailed
  }

  /// The lines of each test that passed: between a runner's words, or in an element of JUnit's XML.
  private static func passedCases(_ lines: [String]) -> [Range<Int>] {
    var passed: [Range<Int>] = []
    var start: Int?
    for (place, line) in lines.enumerated() {
      if ["[ RUN      ]", "' started.", "<testcase"].contains(where: line.contains) {
        if line.contains("<testcase"), line.contains("/>") { continue }
        start = place
      } else if line.contains("[  FAILED  ]") || line.contains("' failed (")
        || line.contains("<failure")
        || line.contains("<error")
      {
        start = nil
      } else if let from = start,
        ["[       OK ]", "' passed (", "</testcase>"].contains(where: line.contains)
      {
        passed.append(from..<place + 1)
        start = nil
      }
    }
    return passed
  }
}

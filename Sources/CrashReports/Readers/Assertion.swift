import IncidentModel

/// Reads the messages by which systems tell, in any log, of a broken queue or isolation.
enum Assertion {
  static let needles = [
    "Modifications to the layout engine must not", "is modifying the autolayout engine from",
    "Block was expected to execute on queue [", "Incorrect actor executor assumption",
    "was not called on the main thread", "Publishing changes from background threads",
    "must be used from main thread only", "deleted thread with uncommitted CATransaction",
  ]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let meaning = Messages.meaning(of: line) else { return nil }
    // A crash that follows tells the same with more to it.
    let following = text.lines[(text.middle + 1)..<min(text.middle + 10, text.lines.count)]
    let isTold = following.contains { line in
      SwiftBacktrace.headers.contains(where: line.text.contains)
        || line.text.contains(SwiftLinux.header)
    }
    if isTold { return nil }
    let stack = ConsoleStack(text.lines, from: text.middle + 1)
    var report = CrashReport(.console)
    let log = LogPrefix(line)
    report.process = log?.process ?? ""
    report.processID = log?.processID ?? 0
    report.ownImages = Set([report.process].filter { !$0.isEmpty })
    let number = log?.thread ?? 0
    report.threads = [
      CrashReport.Thread(number: number, id: number, isMain: nil, frames: stack.frames)
    ]
    switch meaning {
    case .offMainUI(let api):
      report.violations = [violation(api.isEmpty ? topic(of: line) : api, number, stack.frames)]
    case .isolation(let expected):
      guard let place = place(in: line) else {
        report.failure = CrashReport.Failure(
          type: "Assertion failed", texts: [line.trimmed], thread: number, thrown: stack.frames)
        break
      }
      var violation = violation("", number, stack.frames)
      violation.expected = expected
      violation.file = place.file
      violation.line = place.line
      report.violations = [violation]
    }
    return (report, max(stack.end, text.middle + 1))
  }

  private static func violation(
    _ api: String, _ thread: Int, _ frames: [CrashReport.Frame]
  ) -> CrashReport.Violation {
    CrashReport.Violation(
      api: frames.isEmpty ? api : api.hasPrefix("-[") ? api : "", thread: thread, frames: frames)
  }

  /// What a message is about that names no function.
  private static func topic(of line: String) -> String {
    if line.contains("layout engine") || line.contains("autolayout") { return "layout" }
    return line.contains("CATransaction") ? "CATransaction" : "published changes"
  }

  /// `@MainActor function at Feed.swift:8 was not called on the main thread`.
  private static func place(in line: String) -> (file: String, line: Int)? {
    guard let start = line.range(of: "function at ")?.upperBound,
      let end = line[start...].range(of: " was not called")?.lowerBound,
      let colon = line[start..<end].lastIndex(of: ":"),
      let number = Int(line[line.index(after: colon)..<end])
    else { return nil }
    return (String(line[start..<colon]), number)
  }
}

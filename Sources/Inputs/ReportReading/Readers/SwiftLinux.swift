import IncidentModel

/// Reads stack traces that Swift's runtime printed on Linux before `swift-backtrace` existed.
enum SwiftLinux {
  static let header = "Current stack trace:"

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    guard text.lines[text.middle].text.contains(header) else { return nil }
    let stack = ConsoleStack(text.lines, from: text.middle + 1)
    guard !stack.frames.isEmpty else { return nil }
    var failure = CrashReport.Failure(type: "Fatal error", signal: "SIGILL")
    for place in stride(from: text.middle - 1, through: max(0, text.middle - 4), by: -1) {
      guard let range = text.lines[place].text.range(of: "atal error: ") else { continue }
      failure.texts = [text.lines[place].text[range.upperBound...].trimmed]
      break
    }
    failure.thrown = stack.frames
    var report = CrashReport(.swiftLinux)
    report.failure = failure
    return (report, stack.end)
  }
}

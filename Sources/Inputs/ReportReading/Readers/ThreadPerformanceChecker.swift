import IncidentModel

/// Reads the output of Xcode's Thread Performance Checker about work that may block the main
/// thread. Such work is no violation of the main queue.
enum ThreadPerformanceChecker {
  static let header = "\(Event.performanceChecker): "

  /// - Returns: nil if the line only mentions the checker.
  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let place = line.range(of: header) else { return nil }
    let message = line[place.upperBound...].trimmed
    let facts = CheckerFacts(text)
    let stack = ConsoleStack(text.lines, from: facts.end)
    guard !message.isEmpty, !stack.frames.isEmpty else { return nil }
    var report = CrashReport(.threadPerformanceChecker)
    report.processID = facts.process ?? 0
    if let process = LogPrefix(line)?.process {
      report.process = process
      report.ownImages = [process]
    }
    var thread = CrashReport.Thread(
      number: facts.thread ?? CrashReport.unknownThread, id: facts.thread ?? 0)
    thread.name = facts.name
    thread.queue = facts.queue
    thread.isMain = speaksOfMain(message) ? true : nil
    thread.frames = stack.frames
    report.threads = [thread]
    report.failure = CrashReport.Failure(
      type: Event.performanceChecker, texts: [message], isFatal: false, thread: thread.number)
    return (report, stack.end)
  }

  /// True if a message is about the main thread: by default only the main thread has the
  /// user-interactive QoS class.
  private static func speaksOfMain(_ message: String) -> Bool {
    message.contains("main thread") || message.contains("QOS_CLASS_USER_INTERACTIVE")
  }
}

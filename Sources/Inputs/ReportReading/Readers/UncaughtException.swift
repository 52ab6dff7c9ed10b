import IncidentModel

/// Reads an uncaught exception from the console of an Apple system, and the failed assertion that
/// may precede the exception.
enum UncaughtException {
  static let needles = [
    "Terminating app due to uncaught exception '", "*** Assertion failure in ",
  ]
  static let beginning = "*** Terminating app"
  private static let reasonMark = "reason: '"

  /// - Returns: nil if the line only mentions an uncaught exception.
  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let place = needles.compactMap({ line.range(of: $0) }).first else { return nil }
    let (said, after) = whole(text, from: text.middle, place.lowerBound)
    if said.hasPrefix(needles[1]) { return assertion(said, text, after) }
    guard line.contains(needles[0]), let exception = exception(said) else { return nil }
    let stack = stack(text, after)
    let log = LogPrefix(line[..<place.lowerBound])
    let start = min(LogMargin.end(of: line), place.lowerBound)
    let isAlone = line[start..<place.lowerBound].trimmedOf("*> ").isEmpty
    // Inside a sentence the phrase is a mention of the exception, unless a stack follows.
    guard log != nil || isAlone || !stack.frames.isEmpty,
      !Messages.isQuoted(at: place.lowerBound, in: line)
    else { return nil }
    var failure = CrashReport.Failure(
      type: exception.name, texts: exception.reason.isEmpty ? [] : [exception.reason])
    failure.thrown = stack.frames
    var report = report(failure, log, stack.frames)
    report.crumbs = LogLines.crumbs(above: text.middle, in: text, process: report.processID)
    return (report, max(stack.end, after))
  }

  /// Parses `*** Assertion failure in -[Board show:], Board.m:87`, and the reason on the line
  /// below.
  private static func assertion(
    _ said: String, _ text: ConsoleText, _ after: Int
  ) -> (report: CrashReport, end: Int)? {
    let rest = said.dropFirst(needles[1].count)
    guard let comma = rest.lastRange(of: ", ") else { return nil }
    let place = rest[comma.upperBound...].split(separator: ":")
    let method = rest[..<comma.lowerBound].trimmed
    guard place.count >= 2, let line = Int(place[1].prefix(while: \.isNumber)),
      method.hasPrefix("-[") || method.hasPrefix("+[") || !method.contains(" ")
    else { return nil }
    let following = text.lines[min(after, text.lines.count)...].prefix(6)
    // The exception that the assertion raises has more detail and is read instead.
    if following.contains(where: { $0.text.contains(needles[0]) }) { return nil }
    let prefix = text.lines[text.middle].text.range(of: needles[1])
    let log = prefix.flatMap { LogPrefix(text.lines[text.middle].text[..<$0.lowerBound]) }
    let reasons = following.prefix(2).map(\.text).filter { ThreadClaim($0) != nil }
    guard !reasons.isEmpty || log != nil else { return nil }
    let stack = stack(text, after)
    let frame = CrashReport.Frame(
      symbol: method, image: log?.process ?? "", file: place[0].trimmed, line: line)
    var failure = CrashReport.Failure(
      type: "NSInternalInconsistencyException", texts: reasons.map(\.trimmed))
    failure.thrown = stack.frames.isEmpty ? [frame] : stack.frames
    return (report(failure, log, failure.thrown), max(stack.end, after))
  }

  private static func report(
    _ failure: CrashReport.Failure, _ log: LogPrefix?, _ frames: [CrashReport.Frame]
  ) -> CrashReport {
    var report = CrashReport(.console, by: log)
    var failure = failure
    report.ownImages = Set([report.process].filter { !$0.isEmpty })
    if let number = log?.thread {
      failure.thread = number
      let isMain = runsMain(frames) ? true : nil
      report.threads = [
        CrashReport.Thread(number: number, id: number, isMain: isMain, frames: frames)
      ]
    }
    report.failure = failure
    return report
  }

  /// True if a stack belongs to the main thread: its outermost functions include `main`.
  static func runsMain(_ frames: [CrashReport.Frame]) -> Bool {
    frames.suffix(4).contains {
      ["main", "UIApplicationMain", "NSApplicationMain"].contains($0.symbol)
    }
  }

  private static func stack(_ text: ConsoleText, _ start: Int) -> ConsoleStack {
    ConsoleStack(text.lines, from: min(start, text.lines.count), patience: 8)
  }

  /// Returns the text that starts at `place`, and the line after the text. A reason may extend over
  /// several lines, up to the closing quote.
  private static func whole(
    _ text: ConsoleText, from line: Int, _ place: String.Index
  ) -> (text: String, after: Int) {
    var said = String(text.lines[line].text[place...]).trimmed
    var after = line + 1
    while after < min(text.lines.count, line + 8), !isComplete(said) {
      let next = text.lines[after].text.trimmed
      if next.hasPrefix("***") || next == "(" || FrameLine(text.lines[after]) != nil { break }
      said += next.isEmpty ? "" : " " + next
      after += 1
    }
    return (said, after)
  }

  /// True if the text of an exception includes the closing quote of its reason.
  static func isComplete(_ said: String) -> Bool {
    if said.hasPrefix(needles[1]) {
      guard let colon = said.lastIndex(of: ":") else { return false }
      return said[said.index(after: colon)...].first?.isNumber == true
    }
    guard let reason = said.range(of: reasonMark)?.upperBound else { return false }
    return said[reason...].contains("'")
      && (said.hasSuffix("'") || said.hasSuffix("')") || said.hasSuffix("'.")
        || said.contains("' userInfo"))
  }

  /// The name and the reason of `Terminating app due to uncaught exception 'A', reason: 'b'`.
  private static func exception(_ said: String) -> (name: String, reason: String)? {
    guard let start = said.range(of: needles[0])?.upperBound,
      let end = said[start...].firstIndex(of: "'")
    else { return nil }
    let name = String(said[start..<end])
    guard !name.isEmpty, name.utf8.allSatisfy({ $0.isWord }) else { return nil }
    guard let reason = said[end...].range(of: reasonMark)?.upperBound else { return (name, "") }
    let text = said[reason...].trimmedOf("'.) ")
    return (name, String(text.prefix(4096)))
  }
}

extension UInt8 {
  /// True if the byte may be part of a name.
  var isWord: Bool {
    isDigit || (65...90).contains(self) || (97...122).contains(self) || self == 95 || self == 46
      || self >= 0x80
  }
}

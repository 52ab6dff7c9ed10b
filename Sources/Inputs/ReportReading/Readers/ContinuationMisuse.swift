import IncidentModel

/// Reads the messages of Swift's runtime and of NIO about a continuation or a promise that was left or used twice, if
/// no report of the death follows.
enum ContinuationMisuse {
  static let needles = ["SWIFT TASK CONTINUATION MISUSE: ", "leaking promise created at "]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(ofAny: needles),
      !Messages.isLiteral(line), !Messages.isQuoted(at: mark.lowerBound, in: line)
    else { return nil }
    let isFollowed = text.lines[(text.middle + 1)...].prefix(12).contains { line in
      SwiftBacktrace.headers.contains(where: line.text.contains)
        || line.text.contains(SwiftLinux.header) || DebuggerStack.Headline(line.text) != nil
    }
    if isFollowed { return nil }
    let log = LogPrefix(line)
    var report = CrashReport(.console, by: log)
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    let said = line[mark.upperBound...]
    if line[mark] == needles[1] {
      report.failure = failure(line[mark.lowerBound...].trimmed, promise(said))
    } else if let leaked = said.range(of: " leaked its continuation") {
      let function = said[..<leaked.lowerBound].trimmed
      report.toldHang = ToldHang(
        title:
          "\(function) leaked its continuation: no path resumed it, and its task never continues",
        advice:
          "Resume the continuation on every path of \(function), also if the callback does not come.",
        function: function)
    } else if let twice = said.range(of: " tried to resume its continuation") {
      let frame = CrashReport.Frame(symbol: said[..<twice.lowerBound].trimmed, isOwn: true)
      report.failure = failure(said.trimmed, frame)
    } else {
      return nil
    }
    if report.failure != nil {
      report.threads = [
        CrashReport.Thread(number: CrashReport.unknownThread, id: log?.thread ?? 0)
      ]
    }
    return (report, text.middle + 1)
  }

  private static func failure(_ said: String, _ frame: CrashReport.Frame?) -> CrashReport.Failure {
    CrashReport.Failure(
      type: "Fatal error", texts: [said], thread: CrashReport.unknownThread,
      thrown: [frame].compactMap(\.self))
  }

  /// Parses `(file: "Relay/Upstream.swift", line: 143)`.
  private static func promise(_ said: Substring) -> CrashReport.Frame? {
    guard let open = said.range(of: "file: \""), let close = said.range(of: "\", line: "),
      open.upperBound < close.lowerBound,
      let line = Int(said[close.upperBound...].prefix(while: \.isNumber))
    else { return nil }
    let file = String(said[open.upperBound..<close.lowerBound])
    return CrashReport.Frame(
      symbol: SourcePosition.name(of: file), file: file, line: line, isOwn: true)
  }
}

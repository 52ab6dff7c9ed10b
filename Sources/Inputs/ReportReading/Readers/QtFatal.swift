import IncidentModel

/// Reads the messages with which Qt ends a process: a failed assertion, or no platform plugin.
enum QtFatal {
  static let needles = ["ASSERT: \"", "no Qt platform plugin could be initialized"]
  private static let reach = 40

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(ofAny: needles) else { return nil }
    let start = LogMargin.end(of: line)
    let isAssertion = line[mark] == needles[0]
    guard
      isAssertion ? line.contains("\" in file ") : !Messages.isQuoted(at: mark.lowerBound, in: line)
    else { return nil }
    let following = text.lines[(text.middle + 1)...].prefix(12)
    // A debugger's stack below has more detail, and its reader takes the message.
    if following.contains(where: { line in
      DebuggerStack.Headline(line.text).map { !$0.reason.isEmpty } ?? false
    }) {
      return nil
    }
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    for place in end..<min(text.lines.count, end + reach) {
      text.search.lines += 1
      guard let frame = SystemdCoredump.frame(text.lines[place].text) else {
        if !frames.isEmpty { break }
        continue
      }
      frames.append(frame)
      end = place + 1
    }
    let said = line[start...].trimmed
    let log = LogPrefix(line)
    var report = CrashReport(.console, by: log)
    var failure = CrashReport.Failure(
      type: isAssertion ? "Assertion failed" : "Qt could not start", texts: [said], thrown: frames)
    if frames.isEmpty, let place = place(in: line) { failure.thrown = [place] }
    failure.thread = log?.thread ?? CrashReport.unknownThread
    report.threads = [
      CrashReport.Thread(number: failure.thread ?? 0, id: log?.thread ?? 0, frames: failure.thrown)
    ]
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }

  /// Parses `ASSERT: "index >= 0" in file ../src/board.cpp, line 42`.
  private static func place(in line: String) -> CrashReport.Frame? {
    guard let open = line.range(of: "\" in file "), let mark = line.lastRange(of: ", line "),
      open.upperBound < mark.lowerBound,
      let number = Int(line[mark.upperBound...].prefix(while: \.isNumber))
    else { return nil }
    let file = String(line[open.upperBound..<mark.lowerBound])
    guard !["/qt", "/Qt", "qlist.h", "qvector.h"].contains(where: file.contains) else { return nil }
    return CrashReport.Frame(
      symbol: SourcePosition.name(of: file), image: "Qt program", file: file, line: number,
      isOwn: true)
  }
}

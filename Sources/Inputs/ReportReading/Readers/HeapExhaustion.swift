import IncidentModel

/// Reads V8's message that a JavaScript program is out of memory, as printed by Node and Electron.
///
/// The function whose allocation failed rarely holds most of the memory, so the report names no
/// function.
enum HeapExhaustion {
  static let needles = ["FATAL ERROR: ", "V8 javascript OOM"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = needles.compactMap({ line.range(of: $0) }).first,
      line.contains("heap out of memory") || line.contains(needles[1]),
      !Messages.isQuoted(at: mark.lowerBound, in: line), !Messages.isLiteral(line)
    else { return nil }
    // Node prints the message between its GC statistics and its stack; Chromium prints it after its
    // log prefix.
    let above = text.lines[..<text.middle].suffix(12)
    let below = text.lines[(text.middle + 1)...].prefix(12)
    let isNode =
      above.contains { $0.text.contains("<--- ") }
      || below.contains { $0.text.contains("stack trace") || $0.text.contains("node::") }
    let isChromium = line[..<mark.lowerBound].contains(":ERROR:")
    guard isNode || isChromium else { return nil }
    let said = line[mark.lowerBound...].trimmed
    let reason = said.hasPrefix(needles[0]) ? String(said.dropFirst(needles[0].count)) : said
    var report = CrashReport(.console)
    report.failure = CrashReport.Failure(type: "out of memory", texts: [reason])
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    var end = text.middle + 1
    // The following lines repeat the message.
    while end < text.lines.count, end < text.middle + 60, isOfReport(text.lines[end].text) {
      end += 1
    }
    return (report, end)
  }

  private static func isOfReport(_ line: String) -> Bool {
    let line = line.trimmed
    return line.isEmpty || line.contains("stack trace") || line.contains("<--- ")
      || line.contains(needles[1])
      || line.first?.isNumber == true && line.contains(": 0x") || line.contains("JavaScript heap")
  }
}

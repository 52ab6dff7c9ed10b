import IncidentModel

/// Reads the message with which Swift's runtime ends a process because of two overlapping accesses
/// to one variable.
enum AccessConflict {
  static let needles = ["Simultaneous accesses to 0x"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let place = line.range(of: needles[0]),
      Messages.stands(at: place.lowerBound, in: line)
    else { return nil }
    let text = text.withoutPrefix(before: needles[0], in: text.middle)
    let stack = ConsoleStack(text.lines, from: text.middle + 1)
    let end = text.lines[stack.end...].prefix(3).firstIndex {
      $0.text.contains("Fatal access conflict detected")
    }
    guard !stack.frames.isEmpty, let end else { return nil }
    var report = CrashReport(.console, by: LogPrefix(line))
    let before = text.lines[(text.middle + 1)...].prefix(2).map(\.text.trimmed).first {
      $0.hasPrefix("Previous access")
    }
    report.failure = CrashReport.Failure(
      type: "Fatal access conflict",
      texts: [String(line[place.lowerBound...]).trimmed] + [before].compactMap(\.self),
      thread: CrashReport.unknownThread, thrown: stack.frames)
    report.threads = [
      CrashReport.Thread(number: CrashReport.unknownThread, frames: stack.frames)
    ]
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end + 1)
  }
}

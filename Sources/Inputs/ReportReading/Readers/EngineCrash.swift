import IncidentModel

/// Reads the unhandled exception of Windows that Unreal logs with its callstack.
enum EngineCrash {
  static let needles = ["Unhandled Exception: EXCEPTION_"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(of: needles[0]), Messages.stands(at: mark.lowerBound, in: line)
    else { return nil }
    let said = line[mark.lowerBound...].dropFirst("Unhandled Exception: ".count)
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    for place in end..<min(text.lines.count, end + 200) {
      text.search.lines += 1
      if let frame = UnrealFrame.read(text.lines[place].text) {
        frames.append(frame)
        end = place + 1
      } else if place - end > 4 {
        break
      }
    }
    guard !frames.isEmpty else { return nil }
    let type = said.prefix { $0 != " " }
    var report = CrashReport(.console)
    var failure = CrashReport.Failure(
      type: String(type), signal: type.hasSuffix("ACCESS_VIOLATION") ? "SIGSEGV" : "",
      texts: [said.dropFirst(type.count).trimmed].filter { !$0.isEmpty })
    if let place = said.range(of: " address 0x")?.upperBound {
      failure.address = UInt64(said[place...].prefix(while: \.isHexDigit), radix: 16)
    }
    failure.thrown = frames
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }
}

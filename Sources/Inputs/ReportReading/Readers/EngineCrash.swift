import IncidentModel

/// Reads the unhandled exception of Windows, or the engine's own fatal error, that Unreal logs with
/// its callstack.
enum EngineCrash {
  static let needles = ["Unhandled Exception: EXCEPTION_", "appError called: Fatal error: "]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(ofAny: needles),
      Messages.stands(at: mark.lowerBound, in: line)
    else { return nil }
    var (frames, thread, end) = UnrealFrame.stack(below: text.middle, in: text)
    guard !frames.isEmpty else { return nil }
    var failure = line[mark].hasPrefix("app") ? error(line[mark.upperBound...]) : exception(line)
    failure.thrown = frames
    failure.thread = thread.number
    thread.frames = frames
    var report = CrashReport(.console)
    report.threads = [thread]
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }

  /// Parses `Unhandled Exception: EXCEPTION_ACCESS_VIOLATION reading address 0x18`.
  private static func exception(_ line: String) -> CrashReport.Failure {
    let start = line.range(of: needles[0])?.lowerBound ?? line.startIndex
    let said = line[start...].dropFirst("Unhandled Exception: ".count)
    let type = said.prefix { $0 != " " }
    var failure = CrashReport.Failure(
      type: String(type), signal: type.hasSuffix("ACCESS_VIOLATION") ? "SIGSEGV" : "",
      texts: [said.dropFirst(type.count).trimmed].filter { !$0.isEmpty })
    if let place = said.range(of: " address 0x")?.upperBound {
      failure.address = UInt64(said[place...].prefix(while: \.isHexDigit), radix: 16)
    }
    return failure
  }

  /// Parses `[File:D:\Engine\D3D12Util.cpp] [Line: 940] GPU crash`: the message follows the
  /// position, or precedes it.
  private static func error(_ said: Substring) -> CrashReport.Failure {
    let open = said.range(of: "[File:")?.lowerBound ?? said.endIndex
    let close = said[open...].lastIndex(of: "]").map(said.index(after:)) ?? said.endIndex
    let text = (said[..<open] + " " + said[close...]).trimmed
    return CrashReport.Failure(type: "Fatal error", texts: [text].filter { !$0.isEmpty })
  }
}

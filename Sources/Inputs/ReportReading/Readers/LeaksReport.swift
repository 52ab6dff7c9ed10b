import IncidentModel

/// Reads the output of macOS' `leaks`, which contains no threads.
enum LeaksReport {
  static let needles = [" total leaked bytes", "leaks Report Version: "]

  static func recognises(_ lines: [Substring]) -> Bool {
    lines.contains {
      $0.hasPrefix(needles[1]) || $0.hasPrefix("Process ") && $0.contains(needles[0])
    }
  }

  /// Reads `Process 4242: 21 leaks for 157136 total leaked bytes.` and the first stack below that
  /// line.
  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let following = text.lines[text.middle...].prefix(6)
    guard let place = following.firstIndex(where: { $0.text.contains(needles[0]) }) else {
      return nil
    }
    let line = text.lines[place].text
    guard let start = line.range(of: "Process ")?.upperBound,
      let id = Int(line[start...].prefix(while: \.isNumber)),
      let said = line[start...].range(of: ": ").map({ line[$0.upperBound...].trimmed }),
      said.first?.isNumber == true, said.contains(" for ")
    else { return nil }
    var report = CrashReport(.leaks)
    report.processID = id
    var frames: [(number: Int, frame: CrashReport.Frame)] = []
    var end = place + 1
    for at in (place + 1)..<max(place + 1, min(text.lines.count, place + 400)) {
      text.search.lines += 1
      let line = text.lines[at]
      if let frame = FrameLine(line) {
        frames.append((frame.number, frame.frame))
        end = at + 1
      } else if !frames.isEmpty {
        break
      }
    }
    // `leaks` prints the outermost frame first.
    let stack = frames.sorted { $0.number < $1.number }.map(\.frame)
    report.threads = [CrashReport.Thread(number: CrashReport.unknownThread, frames: stack)]
    if said.hasPrefix("0 leaks") { return (report, end) }
    var failure = CrashReport.Failure(type: "leaks", texts: [said])
    failure.isFatal = false
    failure.thrown = stack
    report.failure = failure
    return (report, end)
  }
}

import IncidentModel

/// Reads failed checks of Google's logging library, and V8's fatal errors about calls of a native
/// add-on off the thread of its isolate.
enum NativeFatal {
  static let needles = [
    "*** Check failure stack trace: ***", "FATAL ERROR: HandleScope::HandleScope",
  ]
  private static let isolate = "without proper locking in place"

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(ofAny: needles),
      !Messages.isLiteral(line),
      !Messages.isQuoted(at: mark.lowerBound, in: line)
    else { return nil }
    return line[mark] == needles[0] ? check(text) : addOn(line[mark.lowerBound...], text)
  }

  // MARK: Failed checks

  /// Parses the line above the stack: `F0312 08:00:01.123456 12345 board.cc:88] Check failed: level
  /// >= 0`, and the frames: `    @     0x55d0aa0011a4  tide::Board::setLevel()`.
  private static func check(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let above = text.lines[..<text.middle].suffix(4).map(\.text).last {
      $0.contains("] Check failed: ")
    }
    guard let above, let mark = above.range(of: "] Check failed: ") else { return nil }
    let head = above[..<mark.lowerBound].split(separator: " ")
    let thread = head.count > 1 ? Int(head[head.count - 2]) : nil
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    while end < text.lines.count, let frame = glogFrame(text.lines[end].text) {
      frames.append(frame)
      end += 1
    }
    frames.removeFirst(frames.prefix { $0.symbol.hasPrefix("google::") }.count)
    guard !frames.isEmpty else { return nil }
    var report = CrashReport(.console)
    let number = thread ?? CrashReport.unknownThread
    report.threads = [CrashReport.Thread(number: number, id: thread ?? 0, frames: frames)]
    report.failure = CrashReport.Failure(
      type: "Check failed", texts: [above[mark.upperBound...].trimmed], thread: number,
      thrown: frames)
    report.crumbs = LogLines.crumbs(above: max(0, text.middle - 1), in: text)
    return (report, end)
  }

  private static func glogFrame(_ line: String) -> CrashReport.Frame? {
    let words = line.trimmed.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0] == "@", let address = UInt64(hexadecimal: words[1]) else {
      return nil
    }
    var frame = CrashReport.Frame(address: address)
    frame.symbol = words.count > 2 ? words[2].trimmed : ""
    // The stack names no images. Linux maps the program far below its libraries.
    frame.isOwn = frame.symbol.hasPrefix("google::") || address >> 40 == 0x7f ? false : nil
    return frame
  }

  // MARK: Add-ons

  /// Parses ` 5: 0x7f21a4c01b22 Sensor::Emit(int) [/srv/tide/build/Release/sensor.node]` below the
  /// message.
  private static func addOn(
    _ said: Substring, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard said.contains(isolate) else { return nil }
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    for place in end..<min(text.lines.count, end + 80) {
      guard let frame = nodeFrame(text.lines[place].text) else {
        if !frames.isEmpty { break }
        continue
      }
      frames.append(frame)
      end = place + 1
    }
    guard frames.contains(where: { $0.isOwn == true }) else { return nil }
    var report = CrashReport(.console)
    report.threads = [
      CrashReport.Thread(number: CrashReport.unknownThread, isMain: false, frames: frames)
    ]
    var failure = CrashReport.Failure(
      type: "FATAL ERROR", texts: [said.dropFirst("FATAL ERROR: ".count).trimmed],
      thread: CrashReport.unknownThread, thrown: frames)
    failure.expected = "thread that owns the object"
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }

  private static func nodeFrame(_ line: String) -> CrashReport.Frame? {
    let text = line.trimmed
    guard let colon = text.range(of: ": 0x"), Int(text[..<colon.lowerBound]) != nil,
      let open = text.lastRange(of: " ["), text.hasSuffix("]")
    else { return nil }
    let words = text[text.index(colon.lowerBound, offsetBy: 2)..<open.lowerBound].split(
      separator: " ", maxSplits: 1)
    var frame = CrashReport.Frame(path: String(text[open.upperBound...].dropLast()))
    frame.image = frame.path.split(separator: "/").last.map(String.init) ?? frame.path
    frame.address = words.first.flatMap { UInt64(hexadecimal: $0) } ?? 0
    frame.symbol = words.count > 1 ? words[1].trimmed : ""
    frame.isOwn = frame.path.hasSuffix(".node") && !frame.path.contains("/node_modules/")
    return frame
  }
}

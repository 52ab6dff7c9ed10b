import IncidentModel

/// Reads the complaints of game engines about a call on the wrong thread. Godot continues after the
/// complaint, Unreal ends the process.
enum EngineComplaint {
  static let needles = [
    "Caller thread can't call this function in this node",
    "can only be accessed from either the main thread or a thread group",
    "Assertion failed: IsIn", "Ensure condition failed: IsIn",
  ]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard !Messages.isLiteral(line) else { return nil }
    return godot(line, text) ?? unreal(line, text)
  }

  // MARK: Godot

  /// Parses `ERROR: Caller thread can't call this function in this node (/root/Main/Score). Use
  /// call_deferred() …`, the line `at: set_text (scene/gui/label.cpp:812)` below it, and the
  /// script's stack if printed.
  private static func godot(
    _ line: String, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard needles.prefix(2).contains(where: line.contains), let mark = line.range(of: "ERROR: "),
      !Messages.isQuoted(at: mark.lowerBound, in: line)
    else { return nil }
    var frames: [CrashReport.Frame] = []
    var end = text.middle + 1
    for place in end..<min(text.lines.count, end + 40) {
      let said = text.lines[place].text.trimmed
      guard let frame = godotFrame(said) else {
        if said.hasPrefix("GDScript backtrace") { continue }
        break
      }
      frames.append(frame)
      end = place + 1
    }
    guard let first = frames.first else { return nil }
    let node = line.range(of: "node (").map { String(line[$0.upperBound...].prefix { $0 != ")" }) }
    var report = CrashReport(.console)
    report.violations = [
      CrashReport.Violation(
        api: first.symbol + (node.map { " of \($0)" } ?? ""), thread: CrashReport.unknownThread,
        frames: frames)
    ]
    report.threads = [
      CrashReport.Thread(number: CrashReport.unknownThread, isMain: false, frames: frames)
    ]
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }

  /// Parses a frame: `at: set_text (scene/gui/label.cpp:812)`, `[0] _on_packet
  /// (res://net/link.gd:44)`.
  private static func godotFrame(_ line: String) -> CrashReport.Frame? {
    let isEngine = line.hasPrefix("at: ")
    guard isEngine || line.hasPrefix("["), line.hasSuffix(")"), let open = line.lastRange(of: " ("),
      let start = line.firstIndex(of: " ").map(line.index(after:)), start < open.lowerBound
    else { return nil }
    guard let position = SourcePosition(line[open.upperBound...].dropLast()) else { return nil }
    return CrashReport.Frame(
      symbol: String(line[start..<open.lowerBound]), image: isEngine ? "Godot" : "GDScript",
      file: position.file, line: position.line, isOwn: !isEngine)
  }

  // MARK: Unreal

  /// Parses `LogWindows: Error: Assertion failed: IsInGameThread() [File:…] [Line: 3120]` and the
  /// `[Callstack]` lines below it.
  private static func unreal(
    _ line: String, _ text: ConsoleText
  ) -> (report: CrashReport, end: Int)? {
    guard let mark = line.range(ofAny: needles.suffix(2)),
      let check = line[mark.lowerBound...].split(separator: "[").first?.trimmed,
      ["GameThread", "SlateThread", "RenderingThread", "ParallelGameThread"].contains(
        where: check.contains)
    else { return nil }
    var (frames, thread, end) = UnrealFrame.stack(below: text.middle, in: text)
    guard !frames.isEmpty else { return nil }
    thread.isMain = false
    var report = CrashReport(.console)
    let isFatal = check.hasPrefix("Assertion")
    var failure = CrashReport.Failure(
      type: isFatal ? "Assertion failed" : "Ensure condition failed",
      texts: [
        "\(check.split(separator: " ").last ?? ""): the function must be called on the \(check.contains("Rendering") ? "rendering" : "main") thread"
      ])
    failure.isFatal = isFatal
    failure.thrown = frames
    failure.thread = CrashReport.unknownThread
    report.threads = [thread]
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }
}

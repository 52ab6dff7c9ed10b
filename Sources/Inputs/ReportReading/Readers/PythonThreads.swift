import IncidentModel

/// Reads the threads of a Python process, as printed by `faulthandler` and by `py-spy dump`.
struct PythonThreads {
  static let needles = ["(most recent call first):", "): \"MainThread\""]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    guard Headline(text.lines[text.middle].text) != nil else { return nil }
    var reader = PythonThreads()
    var start = text.middle
    // The threads above this line may contain no needle.
    while start > 0, text.middle - start < 200,
      Headline(text.lines[start - 1].text) != nil || Self.frame(text.lines[start - 1].text) != nil
        || text.lines[start - 1].text.trimmed.isEmpty
    {
      start -= 1
    }
    let end = reader.read(text, from: start)
    return reader.finish(text, above: start).map { ($0, end) }
  }

  /// The first line of a thread: `Thread 0x00007f0e8b7fe700 (most recent call first):`, `Current
  /// thread 0x… (most …):`, `Thread 4412 (idle): "MainThread"`.
  private struct Headline {
    var id = 0
    var name = ""
    var isCurrent: Bool

    init?(_ line: String) {
      let text = line[LogMargin.end(of: line)...].trimmed
      isCurrent = text.hasPrefix("Current thread 0x")
      if text.hasSuffix("(most recent call first):"), isCurrent || text.hasPrefix("Thread 0x") {
        if let open = text.firstIndex(of: "["), let close = text.firstIndex(of: "]"), open < close {
          name = String(text[text.index(after: open)..<close])
        }
        return
      }
      guard text.hasPrefix("Thread "), text.hasSuffix("\""), let mark = text.range(of: "): \""),
        let id = Int(text.dropFirst(7).prefix(while: \.isNumber))
      else { return nil }
      self.id = id
      name = String(text[mark.upperBound...].dropLast())
    }
  }

  private var report = CrashReport(.pythonThreads)
  private var crashed: Int?

  private mutating func read(_ text: ConsoleText, from start: Int) -> Int {
    let end = text.read(from: start, most: 8000, patience: 3) { line in
      if let headline = Headline(line) {
        let number = report.threads.count
        if headline.isCurrent { crashed = number }
        return report.begin(
          CrashReport.Thread(number: number, id: headline.id, name: headline.name, isMain: false))
      }
      return Self.frame(line).map { report.add($0) } ?? false
    }
    return max(end, text.middle + 1)
  }

  /// Parses `  File "/srv/quince/store.py", line 44 in save` and `    save (quince/store.py:44)`.
  private static func frame(_ line: String) -> CrashReport.Frame? {
    let text = line[LogMargin.end(of: line)...].trimmed
    if text.hasPrefix("File \""), let close = text.range(of: "\", line "),
      let mark = text[close.upperBound...].range(of: " in "),
      let number = Int(text[close.upperBound..<mark.lowerBound])
    {
      let file = String(text.dropFirst(6)[..<close.lowerBound])
      return PythonTraceback.frame(text[mark.upperBound...].trimmed, file, number)
    }
    guard line.hasPrefix("    "), text.hasSuffix(")"), let open = text.lastRange(of: " ("),
      !text[..<open.lowerBound].contains(" ")
    else { return nil }
    guard let position = SourcePosition(text[open.upperBound...].dropLast()),
      position.file.hasSuffix(".py")
    else { return nil }
    return PythonTraceback.frame(String(text[..<open.lowerBound]), position.file, position.line)
  }

  /// True if a function waits for events in an event loop, so that the thread is free.
  private static func isLoop(_ frame: CrashReport.Frame) -> Bool {
    [
      "mainloop", "run_forever", "exec", "exec_", "select", "poll", "MainLoop", "run_once",
      "_run_once",
    ]
    .contains(frame.symbol)
  }

  private mutating func finish(_ text: ConsoleText, above line: Int) -> CrashReport? {
    guard report.threads.contains(where: { !$0.frames.isEmpty }) else { return nil }
    report.numbersThreads = false
    // The outermost frame of the main thread is the script itself.
    let main =
      report.threads.firstIndex { $0.name == "MainThread" }
      ?? report.threads.lastIndex { $0.frames.last?.symbol == "<module>" }
    if let main { report.threads[main].isMain = true }
    let above = text.lines[max(0, line - 4)..<line].map(\.text)
    if let fatal = above.last(where: { $0.contains("Fatal Python error: ") }),
      let place = fatal.range(of: "Fatal Python error: ")
    {
      report.failure = CrashReport.Failure(
        type: "Fatal Python error", texts: [fatal[place.upperBound...].trimmed], thread: crashed)
      return report
    }
    let isIdle = main.map { report.threads[$0].frames.first.map(Self.isLoop) ?? true } ?? true
    let isTimeout = !isIdle && above.contains { $0.contains("Timeout (") }
    if let main { report.hang = CrashReport.Hang(thread: main, isTold: isTimeout) }
    return report
  }
}

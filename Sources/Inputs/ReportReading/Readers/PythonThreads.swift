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
    var end = text.middle + 1
    var missed = 0
    for place in start..<min(text.lines.count, start + 8000) where missed < 3 {
      text.search.lines += 1
      let line = text.lines[place].text
      if let headline = Headline(line) {
        guard report.threads.count < 4096 else { break }
        let number = report.threads.count
        if headline.isCurrent { crashed = number }
        report.threads.append(
          CrashReport.Thread(number: number, id: headline.id, name: headline.name, isMain: false))
      } else if let frame = Self.frame(line), let last = report.threads.indices.last {
        if report.threads[last].frames.count < 1024 { report.threads[last].frames.append(frame) }
      } else {
        if !line.trimmed.isEmpty { missed += 1 }
        continue
      }
      end = max(end, place + 1)
      missed = 0
    }
    return end
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
    let position = text[open.upperBound...].dropLast().split(separator: ":")
    guard position.count == 2, position[0].hasSuffix(".py"), let number = Int(position[1]) else {
      return nil
    }
    return PythonTraceback.frame(
      String(text[..<open.lowerBound]), String(position[0]), number)
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

import IncidentModel

/// Reads the tasks of a Rust program from tokio's runtime dump: call trees, outermost frame first.
struct TokioDump {
  static let needles = ["╼ "]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    var report = CrashReport(.tokioDump)
    var start = text.middle
    while start > 0, text.middle - start < 2, Self.task(text.lines[start].text) == nil {
      start -= 1
    }
    let end = text.read(from: start, most: 20_000, patience: 3) { line in
      if let number = Self.task(line) {
        return report.begin(CrashReport.Thread(number: number, name: "task", isMain: false))
      }
      guard let frame = Self.frame(line) else { return false }
      if report.threads.isEmpty {
        report.threads = [CrashReport.Thread(number: 0, name: "task")]
      }
      return report.add(frame)
    }
    guard report.threads.contains(where: { !$0.frames.isEmpty }) else { return nil }
    for place in report.threads.indices { report.threads[place].frames.reverse() }
    report.standstill = Self.standstill(report.threads)
    return (report, max(end, text.middle + 1))
  }

  /// The statement that all tasks wait for each other; nil if any task waits for time, the network
  /// or a process. A wait for a `Notify` or a `oneshot` does not count, because an outside event
  /// can end it.
  private static func standstill(_ tasks: [CrashReport.Thread]) -> String? {
    let isSync = { (task: CrashReport.Thread) in
      task.frames.prefix(4).contains { frame in
        [
          "sync::mutex::Mutex", "sync::rwlock::", "sync::batch_semaphore::", "bounded::Sender",
          "sync::barrier::",
        ]
        .contains(where: frame.symbol.contains)
      }
    }
    return tasks.count > 1 && tasks.allSatisfy(isSync)
      ? "Each task of the dump waits for another task" : nil
  }

  private static func task(_ line: String) -> Int? {
    let text = line[LogMargin.end(of: line)...].trimmed
    return text.hasPrefix("TASK ") && text.hasSuffix(":") ? Int(text.dropFirst(5).dropLast()) : nil
  }

  /// Parses `  └╼ board::serve::{{closure}} at /srv/board/src/server.rs:88:5`.
  private static func frame(_ line: String) -> CrashReport.Frame? {
    guard let mark = line.range(of: "╼ ") else { return nil }
    let text = line[mark.upperBound...]
    guard let at = text.lastRange(of: " at ") else { return nil }
    guard let position = SourcePosition(text[at.upperBound...].trimmed) else { return nil }
    var name = text[..<at.lowerBound].trimmed
    if name.hasPrefix("<") { name = String(name.dropFirst()) }
    var frame = CrashReport.Frame(
      symbol: name.replacing("::{{closure}}", with: ""), image: String(name.prefix { $0 != ":" }),
      file: position.file, line: position.line)
    frame.isOwn = !RustSource.isInstalled(position.file)
    return frame
  }
}

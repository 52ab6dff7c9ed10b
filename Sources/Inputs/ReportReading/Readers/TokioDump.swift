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
    var end = text.middle + 1
    var missed = 0
    for place in start..<min(text.lines.count, start + 20_000) where missed < 3 {
      text.search.lines += 1
      let line = text.lines[place].text
      if let number = Self.task(line) {
        guard report.threads.count < 4096 else { break }
        report.threads.append(CrashReport.Thread(number: number, name: "task", isMain: false))
      } else if let frame = Self.frame(line) {
        if report.threads.isEmpty {
          report.threads.append(CrashReport.Thread(number: 0, name: "task"))
        }
        let last = report.threads.count - 1
        if report.threads[last].frames.count < 1024 {
          report.threads[last].frames.insert(frame, at: 0)
        }
      } else {
        if !line.trimmed.isEmpty { missed += 1 }
        continue
      }
      end = place + 1
      missed = 0
    }
    guard report.threads.contains(where: { !$0.frames.isEmpty }) else { return nil }
    report.standstill = Self.standstill(report.threads)
    return (report, end)
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
    let parts = text[at.upperBound...].trimmed.split(separator: ":")
    guard parts.count >= 2, let number = Int(parts[1]) else { return nil }
    var name = text[..<at.lowerBound].trimmed
    if name.hasPrefix("<") { name = String(name.dropFirst()) }
    let file = String(parts[0])
    var frame = CrashReport.Frame(
      symbol: name.replacing("::{{closure}}", with: ""), image: String(name.prefix { $0 != ":" }),
      file: file,
      line: number)
    frame.isOwn = !RustSource.isInstalled(file)
    return frame
  }
}

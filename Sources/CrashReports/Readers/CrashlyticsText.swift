/// Reads what Crashlytics' console gives out as text: a head of `# Key: value`, then the threads by
/// their queues.
struct CrashlyticsText {
  private static let marks = ["# Platform: ", "# Bundle Identifier: ", "# Issue: ", "# Session: "]
  private static let failures = [
    "Fatal Exception: ", "Non-fatal Exception: ", "Non-fatal: ", "Crashed: ",
  ]

  /// Whether text looks like such a report.
  static func recognises(_ lines: [Substring]) -> Bool {
    let head = lines.prefix(40)
    return marks.filter { mark in head.contains { $0.hasPrefix(mark) } }.count >= 2
  }

  static func read(_ lines: [Substring]) -> CrashReport {
    var reader = CrashlyticsText()
    for line in lines { reader.take(line) }
    return reader.finish()
  }

  private var report = CrashReport(.crashlyticsText)
  private var failure: CrashReport.Failure?
  private var isBlank = true
  /// Whether the frames to come are those of an exception, not of a thread.
  private var isThrown = false

  private mutating func take(_ line: Substring) {
    let text = line.trimmed
    defer { isBlank = text.isEmpty }
    if text.isEmpty { return }
    if text.hasPrefix("# ") { return takeHead(text.dropFirst(2)) }
    if let mark = Self.failures.first(where: text.hasPrefix) {
      return takeFailure(mark, String(text.dropFirst(mark.count)))
    }
    if let frame = FrameLine(line)?.frame {
      if isThrown, (failure?.thrown.count ?? 0) < 1024 {
        failure?.thrown.append(frame)
      } else if let last = report.threads.indices.last, report.threads[last].frames.count < 1024 {
        report.threads[last].frames.append(frame)
      }
    } else if isThrown, failure?.thrown.isEmpty == true {
      failure?.texts.append(text)
    } else if isBlank {
      begin(text)
    }
  }

  private mutating func takeHead(_ text: Substring) {
    guard let colon = text.range(of: ": ") else { return }
    let value = text[colon.upperBound...].trimmed
    switch text[..<colon.lowerBound] {
    case "Bundle Identifier": report.process = value
    case "Date": report.wall = WallClock.nanoseconds(value) ?? 0
    default: break
    }
  }

  private mutating func takeFailure(_ mark: String, _ value: String) {
    var failure = CrashReport.Failure()
    failure.isFatal = !mark.hasPrefix("Non-fatal")
    isThrown = mark != "Crashed: "
    if isThrown {
      failure.type = value
    } else {
      begin(value)
      failure.type = "Crashed"
      failure.thread = report.threads.last?.number
    }
    self.failure = failure
  }

  /// A thread begins with the name of its queue, or its own.
  private mutating func begin(_ name: String) {
    isThrown = false
    guard report.threads.count < 4096 else { return }
    var thread = CrashReport.Thread(number: report.threads.count)
    if name.contains(".") { thread.queue = name } else { thread.name = name }
    thread.isMain = thread.queue.map(MainThread.isMain(queue:)) ?? nil
    report.threads.append(thread)
  }

  private mutating func finish() -> CrashReport {
    report.failure = failure
    return report
  }
}

/// Reads the text export of the Crashlytics console: a header of `# Key: value` lines, then the
/// threads, grouped by queue.
struct CrashlyticsText {
  private static let marks = ["# Platform: ", "# Bundle Identifier: ", "# Issue: ", "# Session: "]
  private static let failures = [
    "Fatal Exception: ", "Non-fatal Exception: ", "Non-fatal: ", "Crashed: ",
  ]

  /// True if a text looks like a text export of Crashlytics.
  static func recognises(_ lines: [Substring]) -> Bool {
    let head = lines.prefix(40)
    if marks.filter({ mark in head.contains { $0.hasPrefix(mark) } }).count >= 2 { return true }
    // A pasted report may lack its header.
    guard let place = head.firstIndex(where: { line in failures.contains(where: line.hasPrefix) })
    else { return false }
    return lines[place...].dropFirst().prefix(8).contains { frame($0) != nil }
  }

  /// The lines without the margin that a mail or a page added.
  static func bare(_ lines: [Substring]) -> [Substring] {
    let bare = Margin.removed(from: lines, ofLineWith: marks + failures)
    if recognises(bare) { return bare }
    for line in lines.prefix(60) {
      guard let mark = (marks + failures).first(where: line.contains),
        let place = line.range(of: mark)?.lowerBound, place > line.startIndex,
        let prefix = LinePrefix(line[..<place].utf8)
      else { continue }
      return lines.map { line in
        let rest = prefix.rest(of: Array(line.utf8)[...])
        return rest.map { Substring(decoding: $0, as: UTF8.self) } ?? line
      }
    }
    return lines
  }

  /// Parses a frame of an Apple or a Java stack.
  private static func frame(_ line: Substring) -> CrashReport.Frame? {
    (FrameLine(line) ?? FrameLine(abbreviated: String(line)))?.frame ?? Logcat.frame(of: line)
  }

  /// The lines above the report.
  static func above(_ lines: [Substring]) -> ArraySlice<Substring> {
    lines.prefix { line in !(marks + failures).contains(where: line.hasPrefix) }
  }

  static func read(_ lines: [Substring]) -> CrashReport {
    var reader = CrashlyticsText()
    for line in lines { reader.take(line) }
    return reader.finish()
  }

  private var report = CrashReport(.crashlyticsText)
  private var failure: CrashReport.Failure?
  /// True after a frame: the next name begins a thread, with or without blank lines before it.
  private var isAfterFrame = true
  /// True if the next frames belong to an exception and not to a thread.
  private var isThrown = false

  private mutating func take(_ line: Substring) {
    let text = line.trimmed
    if text.isEmpty { return }
    if text.hasPrefix("# ") { return takeHead(text.dropFirst(2)) }
    if text == "--" || text.hasPrefix("---") { return }
    if let mark = Self.failures.first(where: text.hasPrefix) {
      return takeFailure(mark, String(text.dropFirst(mark.count)))
    }
    if let frame = Self.frame(line) {
      isAfterFrame = true
      if isThrown, (failure?.thrown.count ?? 0) < 1024 {
        failure?.thrown.append(frame)
      } else if let last = report.threads.indices.last, report.threads[last].frames.count < 1024 {
        report.threads[last].frames.append(frame)
      }
    } else if isThrown, failure?.thrown.isEmpty == true {
      failure?.texts.append(text)
    } else if isAfterFrame, Self.isThread(text) {
      begin(text)
    }
  }

  private mutating func takeHead(_ text: Substring) {
    // A line of the application's log: `07:41:21.630  I  DraftStore.save: written`.
    let time = text.prefix { $0.isNumber || ":.".contains($0) }
    if time.utf8.count >= 8, time.contains(":"), report.crumbs.count < 1024 {
      report.crumbs.append(
        CrashReport.Crumb(
          category: "log", message: "\(time) \(text[time.endIndex...].trimmed)"))
      return
    }
    guard let colon = text.range(of: ": ") else { return }
    let value = text[colon.upperBound...].trimmed
    switch text[..<colon.lowerBound] {
    case "Bundle Identifier", "Application": (report.process, report.package) = (value, value)
    case "Date": report.wall = WallClock.nanoseconds(value) ?? 0
    default: break
    }
  }

  private mutating func takeFailure(_ mark: String, _ value: String) {
    var failure = CrashReport.Failure()
    failure.isFatal = !mark.hasPrefix("Non-fatal")
    isThrown = mark != "Crashed: "
    if isThrown {
      let parts = value.range(of: ": ")
      failure.type = parts.map { String(value[..<$0.lowerBound]) } ?? value
      if let parts { failure.texts = [value[parts.upperBound...].trimmed] }
    } else {
      begin(value)
      // This thread threw the uncaught exception that ended the process.
      if self.failure?.isFatal == true, self.failure?.type != "Crashed" {
        self.failure?.thread = report.threads.last?.number
        return
      }
      failure.type = "Crashed"
      failure.thread = report.threads.last?.number
    }
    self.failure = failure
  }

  /// True if a text is a queue or thread name. A description of the crash can be in the same
  /// position.
  private static func isThread(_ text: String) -> Bool {
    !["EXC_", "SIG", "Caused by", "..."].contains(where: text.hasPrefix) && text.utf8.count < 200
  }

  /// Begins a thread, whose headline is the name of its queue or its own name.
  private mutating func begin(_ name: String) {
    isThrown = false
    isAfterFrame = false
    guard report.threads.count < 4096 else { return }
    // Android's thread names end in a colon.
    let name = name.hasSuffix(":") ? String(name.dropLast()) : name
    var thread = CrashReport.Thread(number: report.threads.count)
    if name.contains(".") { thread.queue = name } else { thread.name = name }
    thread.isMain = thread.queue.map(MainThread.isMain(queue:)) ?? nil
    report.threads.append(thread)
  }

  private mutating func finish() -> CrashReport {
    report.failure = failure
    report.numbersThreads = false
    // A hang watch inside the application throws an exception with the main thread's stack; nothing
    // crashed.
    if let type = failure?.type, type.contains("ANRError") || type.contains("NotResponding") {
      report.takeHang()
      report.failure = nil
    }
    return report
  }
}

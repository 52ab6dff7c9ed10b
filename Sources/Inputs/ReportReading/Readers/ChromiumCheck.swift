import IncidentModel

/// Reads the failed checks of Chromium, Electron and other embedders: a log line, the printed
/// stack, and the task trace.
enum ChromiumCheck {
  static let needles = [":FATAL:"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let head = ChromiumHead(line), head.severity == "FATAL" else { return nil }
    let said = String(line[head.end...]).trimmed
    guard isOfThreads(said) else { return nil }
    var report = CrashReport(.console)
    report.processID = head.process
    let mark = "Check failed: "
    let reason = said.hasPrefix(mark) ? String(said.dropFirst(mark.count)) : said
    var failure = CrashReport.Failure(type: "Check failed", texts: [reason], thread: head.thread)
    failure.expected = expected(said)
    var end = text.middle + 1
    var part = Part.stack
    for place in end..<min(text.lines.count, end + 300) {
      text.search.lines += 1
      let line = text.lines[place].text
      if line.contains("[end of stack trace]") {
        end = place + 1
        break
      }
      if line.contains("Task trace:") { part = .taskTrace }
      if line.contains("Received signal") { part = .signalHandler }
      guard let frame = DebuggerStack.Frame(line) else {
        if place > end + 24 { break }
        continue
      }
      end = place + 1
      let symbol = frame.frame.symbol
      switch part {
      case .stack: failure.thrown.append(own(frame.frame))
      case .taskTrace
      where report.crumbs.count < 4 && symbol.contains("::") && !symbol.hasPrefix("base::"):
        report.crumbs.append(CrashReport.Crumb(category: "task trace", message: symbol))
      case .taskTrace, .signalHandler: break
      }
    }
    guard failure.thrown.count > 1 else { return nil }
    report.crumbs =
      LogLines.crumbs(above: text.middle, in: text, process: head.process) + report.crumbs
    report.threads = [
      CrashReport.Thread(
        number: head.thread, id: head.thread == CrashReport.unknownThread ? 0 : head.thread,
        isMain: head.process == 0 ? nil : head.thread == head.process)
    ]
    report.failure = failure
    return (report, end)
  }

  /// The part of the report that contains a frame. The signal handler prints a separate stack.
  private enum Part { case stack, taskTrace, signalHandler }

  private static func isOfThreads(_ said: String) -> Bool {
    Messages.meaning(ofReason: said) != nil
      || ["CalledOnValid", "CurrentlyOn(", "RunsTasksInCurrentSequence", "BelongsToCurrentThread"]
        .contains(where: said.contains)
  }

  private static func expected(_ said: String) -> String {
    let words = said.lowercased().split { !$0.isLetter }
    let isOfMain = ["ui", "main", "uithread", "mainthread", "ismainthread"].contains {
      words.contains(Substring($0))
    }
    return isOfMain ? "main queue" : "thread that owns the object"
  }

  /// The frame with its ownership. The namespace identifies Chromium's own functions; an add-on has
  /// an image of its own.
  private static func own(_ frame: CrashReport.Frame) -> CrashReport.Frame {
    var frame = frame
    let space = frame.symbol.prefix { $0 != ":" }
    if spaces.contains(String(space)) || !frame.symbol.contains("::") { frame.isOwn = false }
    return frame
  }

  private static let spaces: Set<String> = [
    "base", "logging", "cc", "ui", "views", "content", "blink", "gfx", "viz", "mojo", "v8", "node",
    "electron", "aura", "media", "net", "gpu", "gl", "skia", "display", "wm", "events",
    "extensions",
    "printing", "storage", "network", "sequence_manager", "IPC", "rtc", "webrtc", "WTF", "cppgc",
    "chrome",
    "headless", "service_manager", "url", "std", "absl", "perfetto", "partition_alloc", "gin",
    "device",
    "audio", "midi", "remote_cocoa", "ozone", "x11", "wl", "compositor", "input", "nwapi",
    "CefBrowserHost",
  ]
}

import IncidentModel

/// Finds messages in any log by which a system reports a broken queue or isolation rule.
enum Assertion {
  static let needles = sentences + threads

  /// Phrases with the same meaning in every source.
  private static let sentences = [
    "Modifications to the layout engine must not", "is modifying the autolayout engine from",
    "Block was expected to execute on queue", "Incorrect actor executor assumption",
    "was not called on the main thread", "Publishing changes from background threads",
    "XInitThreads has not been called", "Tcl_AsyncDelete: ", "must be used from main thread only",
    "deleted thread with uncommitted CATransaction",
    WaitFunctions.ownQueue,
  ]

  /// Words that occur in messages about the thread that code must run on.
  private static let threads = [
    "main thread", "Main Thread", "main queue", "non-main", "background thread",
    "sMainThread", "UI thread", "platform thread", "application thread", "different thread",
    "wrong thread", "UIThread; actually", "Looper threads", "Invalid thread access",
    "WebView methods must be called",
  ]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    if let found = ownWait(text) { return found }
    guard let (line, first, meaning) = complaint(text) else { return nil }
    // A crash report that follows repeats the message with more detail.
    let following = text.lines[(text.middle + 1)..<min(text.middle + 10, text.lines.count)]
    let isTold = following.contains { line in
      SwiftBacktrace.headers.contains(where: line.text.contains)
        || line.text.contains(SwiftLinux.header)
    }
    let stopped = following.prefix(6).contains { line in
      DebuggerStack.Headline(line.text).map { !$0.reason.isEmpty } ?? false
    }
    if isTold || stopped { return nil }
    let stack = ConsoleStack(text.lines, from: text.middle + 1)
    let log = LogPrefix(first)
    var report = CrashReport(.console, by: log)
    report.ownImages = Set([report.process].filter { !$0.isEmpty })
    var thread = CrashReport.Thread(number: CrashReport.unknownThread, frames: stack.frames)
    if let number = log?.thread {
      (thread.number, thread.id) = (number, number)
    } else if let named = headline(above: text.middle, in: text) {
      (thread.number, thread.name) = named
    }
    let number = thread.number
    report.threads = [thread]
    if let channel = flutterChannel(in: first) {
      report.violations = [
        CrashReport.Violation(api: channel, thread: number, frames: stack.frames)
      ]
      return (report, max(stack.end, text.middle + 1))
    }
    switch meaning {
    case .offMainUI(let api):
      report.violations = [violation(api.isEmpty ? topic(of: line) : api, number, stack.frames)]
    case .isolation(let expected):
      guard let place = place(in: line) else {
        report.failure = CrashReport.Failure(
          type: "Assertion failed", texts: [line.trimmed], thread: number, thrown: stack.frames)
        break
      }
      var violation = violation("", number, stack.frames)
      violation.expected = expected
      violation.file = place.file
      violation.line = place.line
      report.violations = [violation]
    }
    return (report, max(stack.end, text.middle + 1))
  }

  /// The Flutter channel that was used on another thread than the platform's. Flutter's engine
  /// reports this and continues.
  private static func flutterChannel(in line: String) -> String? {
    guard let mark = line.range(of: "[ERROR:flutter/"),
      let start = line[mark.upperBound...].range(of: "The '")?.upperBound,
      let end = line[start...].range(of: "' channel")?.lowerBound
    else { return nil }
    return "channel \(line[start..<end])"
  }

  /// The thread in the line above an exception: `#3 io.flutter.1.raster`, followed by a line with
  /// the exception's type and by its stack.
  private static func headline(
    above line: Int, in text: ConsoleText
  ) -> (number: Int, name: String)? {
    for place in stride(from: line - 1, to: max(0, line - 4), by: -1) {
      let type = text.lines[place].text.trimmed
      guard type.hasSuffix("Exception"), type.utf8.allSatisfy(\.isWord) else { continue }
      let above = text.lines[place - 1].text.trimmed
      let words = above.split(separator: " ")
      guard above.hasPrefix("#"), words.count == 2, let number = Int(words[0].dropFirst()) else {
        return nil
      }
      return (number, String(words[1]))
    }
    return nil
  }

  /// The message and stack that libdispatch prints before it ends a process whose queue waits for
  /// itself.
  private static func ownWait(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let place = line.range(of: "BUG IN CLIENT OF LIBDISPATCH: " + WaitFunctions.ownQueue)
    else {
      return nil
    }
    let stack = ConsoleStack(text.lines, from: text.middle + 1)
    guard stack.frames.first?.image == "libdispatch.dylib" else { return nil }
    var report = CrashReport(.console)
    report.failure = CrashReport.Failure(
      type: "Crashed", texts: [String(line[place.lowerBound...]).trimmed],
      thread: CrashReport.unknownThread, thrown: stack.frames)
    report.threads = [
      CrashReport.Thread(number: CrashReport.unknownThread, isMain: nil, frames: stack.frames)
    ]
    return (report, stack.end)
  }

  /// The complaint, its first line, and its meaning. A sentence may be wrapped over several lines.
  private static func complaint(
    _ text: ConsoleText
  ) -> (said: String, first: String, meaning: Messages.Meaning)? {
    let line = text.lines[text.middle].text
    // A string in another kind of document is a quotation.
    if line.contains("\":") || isElement(line) || Messages.isLiteral(line) { return nil }
    if sentences.contains(where: line.contains) {
      return Messages.meaning(of: line).map { (line, line, $0) }
    }
    for place in stride(from: text.middle, through: max(0, text.middle - 2), by: -1) {
      let first = text.lines[place].text
      guard let speaker = Speaker(first) else { continue }
      var said = String(first[speaker.start...])
      for next in text.lines[(place + 1)...].prefix(2) {
        if let meaning = speaker.meaning(of: said), place + 1 > text.middle {
          return (said, first, meaning)
        }
        let more = next.text.trimmed
        if more.isEmpty || Speaker(next.text) != nil || FrameLine(next) != nil { break }
        said += " " + more
      }
      if let meaning = speaker.meaning(of: said) { return (said, first, meaning) }
      return nil
    }
    return nil
  }

  /// True if a line is a string element of a list in a document: `"…",`.
  private static func isElement(_ line: String) -> Bool {
    let text = line[LogMargin.end(of: line)...].trimmedOf(" \t,>*/")
    return text.hasPrefix("\"") && text.hasSuffix("\"")
  }

  private static func violation(
    _ api: String, _ thread: Int, _ frames: [CrashReport.Frame]
  ) -> CrashReport.Violation {
    CrashReport.Violation(
      api: frames.isEmpty ? api : api.hasPrefix("-[") ? api : "", thread: thread, frames: frames)
  }

  /// The topic of a message that names no function.
  private static func topic(of line: String) -> String {
    if line.contains("layout engine") || line.contains("autolayout") { return "layout" }
    if line.contains("layer") { return "layer" }
    if line.contains("CATransaction") { return "CATransaction" }
    if line.contains("XInitThreads") { return "Xlib" }
    if line.contains("Tcl_") { return "Tcl" }
    return line.contains("ublish") ? "published changes" : "UI"
  }

  /// Parses a position: `@MainActor function at Feed.swift:8 was not called on the main thread`.
  private static func place(in line: String) -> (file: String, line: Int)? {
    guard let start = line.range(of: "function at ")?.upperBound,
      let end = line[start...].range(of: " was not called")?.lowerBound,
      let colon = line[start..<end].lastIndex(of: ":"),
      let number = Int(line[line.index(after: colon)..<end])
    else { return nil }
    return (String(line[start..<colon]), number)
  }
}

/// The source of a line, if the source is trusted: a system log with process and thread, Swift's
/// runtime, or a framework with its own mark.
struct Speaker {
  /// The start of the message.
  let start: String.Index
  /// True if the source states the reason why a process ended.
  private let isReason: Bool

  /// - Returns: nil if the line names no source.
  init?(_ line: String) {
    if let (start, isReason) = Self.runtime(line) {
      (self.start, self.isReason) = (start, isReason)
    } else if let start = Self.log(line) {
      (self.start, isReason) = (start, false)
    } else {
      return nil
    }
  }

  func meaning(of said: String) -> Messages.Meaning? {
    isReason ? Messages.meaning(ofReason: said) : Messages.meaning(ofComplaint: said)
  }

  /// The start of a runtime's message: `Board.swift:12: Fatal error: …`, `Assertion failed: (…),
  /// function f, file Board.m, line 3.`, Flutter's engine, `Modifying properties of a view's layer
  /// …: view <`.
  private static func runtime(_ line: String) -> (String.Index, isReason: Bool)? {
    let start = log(line) ?? LogMargin.end(of: line)
    let said = line[start...]
    for mark in [": Fatal error: ", ": Precondition failed: ", ": Assertion failed: "] {
      guard let place = said.range(of: mark), isPosition(said[..<place.lowerBound]) else {
        continue
      }
      return (place.upperBound, true)
    }
    if said.hasPrefix("Assertion failed: ("), said.contains(", function "), said.contains(", file ")
    {
      return (start, true)
    }
    if said.hasPrefix(UncaughtException.beginning) { return (start, true) }
    for (mark, proof) in assertions where said.contains(proof) {
      if let place = said.range(of: mark), place.lowerBound == said.startIndex || mark.first == "]"
      {
        return (mark.first == "]" ? place.upperBound : said.startIndex, true)
      }
    }
    if let place = signature(said) { return (place, true) }
    // GLib's form is `ERROR:../src/meter.c:142:meter_set: assertion failed: (…)`.
    for mark in ["ERROR:", "Bail out! ERROR:"] where said.hasPrefix(mark) {
      if let place = said.range(of: ": assertion failed: (") {
        return (said.index(place.lowerBound, offsetBy: 2), true)
      }
    }
    if said.hasPrefix("[ERROR:flutter/"), let close = said.range(of: ")] ") {
      return (close.upperBound, true)
    }
    let isLayer = said.hasPrefix("Modifying properties of a view's layer off the main thread")
    return isLayer ? (start, true) : nil
  }

  /// The start of the message after the printing function and its thread or object: `bool
  /// _WebTryThreadLock(bool), 0x17e2a4c0: `.
  private static func signature(_ said: Substring) -> String.Index? {
    guard let mark = said.range(of: "), 0x"),
      let colon = said[mark.upperBound...].firstIndex(of: ":"),
      said[mark.upperBound..<colon].utf8.allSatisfy(\.isHexDigit),
      said[..<mark.lowerBound].contains("("), !said[..<mark.lowerBound].contains("\"")
    else { return nil }
    return said[said.index(after: colon)...].firstIndex { $0 != " " }
  }

  /// Beginnings of fatal messages from browsers and Qt, each with a second substring that the line
  /// must contain.
  private static let assertions = [
    ("Assertion failure: ", ", at "), ("ASSERTION FAILED: ", "("), ("ASSERT failure in ", ": \""),
    ("] Check failed: ", ":FATAL:"),
  ]

  /// True for a source position such as `Orchard/Board.swift:12`.
  private static func isPosition(_ text: Substring) -> Bool {
    !text.contains(" ") && !text.contains("\"") && SourcePosition(text)?.file.contains(".") == true
  }

  /// The start of the message after a system log prefix: `2024-10-01 08:00:00.1+0200 App[77:1203]
  /// [Category] `.
  private static func log(_ line: String) -> String.Index? {
    guard let log = LogPrefix(line), log.thread != nil,
      let mark = line.range(of: "\(log.process)[\(log.processID):"),
      mark.lowerBound == line.startIndex || line[..<mark.lowerBound].contains(where: \.isNumber),
      let close = line[mark.upperBound...].firstIndex(of: "]")
    else { return nil }
    var rest = line[line.index(after: close)...].drop { $0 == " " }
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]"), !rest[..<end].contains(" ") {
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    return rest.startIndex
  }
}

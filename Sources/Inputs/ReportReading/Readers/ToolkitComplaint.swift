import IncidentModel

/// Reads complaints of Qt and GTK on a console about calls off their thread.
enum ToolkitComplaint {
  private struct Sentence {
    let text: String
    /// The function that was called, or the action.
    let api: String
    let expected: String

    init(_ text: String, _ api: String, expected: String = "thread that owns the object") {
      self.text = text
      self.api = api
      self.expected = expected
    }
  }

  private static let sentences = [
    Sentence(
      "QObject::setParent: Cannot set parent, new parent is in a different thread",
      "QObject::setParent"),
    Sentence(
      "QObject: Cannot create children for a parent that is in a different thread.",
      "QObject::QObject"),
    Sentence(
      "QObject::startTimer: Timers cannot be started from another thread", "QObject::startTimer"),
    Sentence(
      "QBasicTimer::start: Timers cannot be started from another thread", "QBasicTimer::start"),
    Sentence(
      "QObject::killTimer: Timers cannot be stopped from another thread", "QObject::killTimer"),
    Sentence(
      "QSocketNotifier: Socket notifiers cannot be enabled or disabled from another thread",
      "QSocketNotifier::setEnabled"),
    Sentence(
      "QObject::installEventFilter(): Cannot filter events for objects in a different thread.",
      "QObject::installEventFilter"),
    Sentence(
      "QPixmap: It is not safe to use pixmaps outside the GUI thread", "QPixmap::QPixmap",
      expected: "main queue"),
  ]

  static let needles = sentences.map(\.text) + ["from another thread", "a thread other than"]

  /// - Returns: nil if the text only mentions a complaint. A real complaint is the whole message of
  ///   its line.
  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    if let said = GLibLine(line), said.isOfGTK, said.isOfThreads {
      return complaint(
        CrashReport.Violation(api: said.function ?? "GTK", thread: CrashReport.unknownThread),
        by: (said.process, said.processID), text, from: text.middle + 1)
    }
    for sentence in sentences {
      guard let place = line.range(of: sentence.text) else { continue }
      let before = line[LogMargin.end(of: line)..<max(place.lowerBound, LogMargin.end(of: line))]
      guard isLogsOwn(before), line[place.upperBound...].trimmedOf(". \r").isEmpty else {
        return nil
      }
      let (parent, next) = parent(in: text)
      let api = parent.map { "\(sentence.api), a child of a \($0)" } ?? sentence.api
      let log = LogPrefix(line)
      return complaint(
        CrashReport.Violation(
          api: api, expected: sentence.expected, thread: CrashReport.unknownThread),
        by: (log?.process ?? "", log?.processID ?? 0), text, from: next)
    }
    return nil
  }

  private static func complaint(
    _ violation: CrashReport.Violation, by process: (name: String, id: Int), _ text: ConsoleText,
    from next: Int
  ) -> (report: CrashReport, end: Int) {
    let stack = ConsoleStack(text.lines, from: next, patience: 2)
    var (report, violation) = (CrashReport(.console), violation)
    (report.process, report.processID) = process
    report.threads = [CrashReport.Thread(number: violation.thread, frames: stack.frames)]
    violation.frames = stack.frames
    report.violations = [violation]
    return (report, stack.frames.isEmpty ? next : stack.end)
  }

  /// True if the text before a sentence is a log prefix and not part of a sentence: `app[71]: `,
  /// `WARNING: `.
  private static func isLogsOwn(_ before: Substring) -> Bool {
    if before.trimmed.isEmpty { return true }
    guard before.hasSuffix(": ") || before.hasSuffix("] "), before.utf8.count < 120,
      !before.contains(where: { "\"'`“«(".contains($0) })
    else { return false }
    let words = before.split(separator: " ")
    // A syslog prefix: `bench kiln[4711]:`.
    if let last = words.last, last.hasSuffix("]:"), let open = last.firstIndex(of: "["),
      last[last.index(after: open)...].dropLast(2).allSatisfy(\.isNumber)
    {
      return true
    }
    return words.allSatisfy { word in
      !word.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    }
  }

  /// The class in `(Parent is QLabel(0x7f32), parent's thread is QThread(0x5581), …` on the next
  /// line, and the index of the line after the complaint.
  private static func parent(in text: ConsoleText) -> (class: String?, next: Int) {
    let place = text.middle + 1
    guard place < text.lines.count,
      let start = text.lines[place].text.range(of: "(Parent is ")?.upperBound
    else { return (nil, place) }
    let name = text.lines[place].text[start...].prefix { $0 != "(" }
    let isName = !name.isEmpty && name.utf8.allSatisfy { $0.isWord || $0 == UInt8(ascii: ":") }
    return (isName ? String(name) : nil, place + 1)
  }
}

/// A line of GLib's log: `(board:4711): Gtk-CRITICAL **: 08:00:00.123: gtk_label_set_text: …`.
private struct GLibLine {
  let process: String
  let processID: Int
  private let domain: Substring
  private let said: Substring

  /// True for GTK and GDK. GStreamer and other libraries log such lines about threads of their own.
  var isOfGTK: Bool { domain == "Gtk" || domain == "Gdk" }

  init?(_ line: String) {
    let line = line[LogMargin.end(of: line)...]
    guard line.first == "(", let close = line.range(of: "): "),
      let colon = line[..<close.lowerBound].lastIndex(of: ":"),
      let id = Int(line[line.index(after: colon)..<close.lowerBound]),
      let mark = line[close.upperBound...].range(of: " **: "),
      let dash = line[close.upperBound..<mark.lowerBound].lastIndex(of: "-")
    else { return nil }
    process = String(line[line.index(after: line.startIndex)..<colon])
    processID = id
    domain = line[close.upperBound..<dash]
    let rest = line[mark.upperBound...]
    let time = rest.prefix { $0.isNumber || $0 == ":" || $0 == "." }
    said = time.hasSuffix(":") ? rest[time.endIndex...].drop { $0 == " " } : rest
  }

  /// True if the message is about the calling thread.
  var isOfThreads: Bool {
    [
      "from another thread", "from a different thread", "from the wrong thread",
      "a thread other than",
    ]
    .contains { said.contains($0) }
  }

  /// The function at the start of the message; nil if the message names no function.
  var function: String? {
    let word = said.prefix { $0 == "_" || $0.isLetter || $0.isNumber }
    return word.contains("_") ? String(word) : nil
  }
}

import IncidentModel

/// Reads uncaught exceptions of .NET, Mono and Unity, and logged exceptions about the required
/// thread, with the stacks below them.
enum ManagedStack {
  /// Messages about the thread without the word thread, beginnings of runtime messages, and
  /// functions that check their thread.
  static let needles =
    [
      "the thread it was created on", "Unhandled exception. ", "Unhandled Exception: ",
      "Process terminated. Assertion failed", "VerifyAccess", "Call from invalid thread",
      "Operazione cross-thread non valida", "Exception Info: ",
    ] + ThreadClaim.translations

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    guard let head = head(text) else { return nil }
    let line = text.lines[head.line].text
    let (frames, end) = frames(text, from: head.stack)
    guard !frames.isEmpty, !line.contains("\":"),
      !Messages.isQuoted(at: LogMargin.end(of: line), in: line)
    else { return nil }
    let isSaid = Messages.meaning(ofReason: head.said) != nil
    // The check did not return, so it failed.
    let isCheck = frames.prefix(6).contains {
      ThreadCheckName.matches($0.symbol) && LibraryPackages.contain($0.symbol)
    }
    guard
      isSaid && (head.type != nil || frames.contains { LibraryPackages.contain($0.symbol) })
        || isCheck || isPlain(head, to: end, in: text)
    else { return nil }
    let log = LogPrefix(line)
    var report = CrashReport(.managedStack, by: log)
    let texts = [head.said].filter { !$0.isEmpty }
    var failure = CrashReport.Failure(
      type: head.type ?? (isSaid ? "Exception" : "a check of the thread"), texts: texts)
    failure.thrown = frames
    failure.endsProcess = endsProcess(text, head.line)
    if let number = log?.thread {
      failure.thread = number
      report.threads = [CrashReport.Thread(number: number, id: number, frames: frames)]
    } else if let named = [line, head.line > 0 ? text.lines[head.line - 1].text : ""].lazy
      .compactMap(LogThread.named).first
    {
      let number = named.number ?? CrashReport.unknownThread
      failure.thread = number
      report.threads = [CrashReport.Thread(number: number, name: named.name, frames: frames)]
    }
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: head.line, in: text)
    if report.crumbs.isEmpty { report.crumbs = LogLines.crumbs(below: end, in: text) }
    return (report, end)
  }

  /// True if the headline or a line above the headline says that the exception ended the process.
  private static func endsProcess(_ text: ConsoleText, _ line: Int) -> Bool {
    text.lines[max(0, line - 3)...line].contains { line in
      let said = line.text.lowercased()
      return [
        "unhandled", "terminat", "exception info", "assertion failed", "fatal", "non gérée",
        "nicht behandelt",
        "unbehandelte", "ausnahmeinfo", "sur l'exception", "未经处理", "ハンドルされていない", "beendet",
        "arrêté",
      ].contains(where: said.contains)
    }
  }

  /// True if an exception unrelated to threads counts as a failure: the runtime calls the exception
  /// uncaught, the log line has an error level, or Unity printed the line. Handled exceptions,
  /// cancellations and exceptions that a passed test expects do not count.
  private static func isPlain(_ head: Head, to end: Int, in text: ConsoleText) -> Bool {
    guard let type = head.type, type != "Assertion failed", !type.hasSuffix("CanceledException"),
      !PassedTests.expects(from: head.line, to: end, in: text)
    else { return false }
    let line = text.lines[head.line].text
    let above = text.lines[..<head.line].last { !$0.text.trimmed.isEmpty }?.text ?? ""
    let isUncaught = ["Unhandled exception", "Unhandled Exception", "Exception Info:"].contains {
      line.contains($0) || above.contains($0)
    }
    if isUncaught { return true }
    let own = line[..<(line.range(of: type)?.lowerBound ?? line.startIndex)]
    if HandledError.isAnnounced(by: above) || HandledError.isAnnounced(by: own) { return false }
    let isError = [" ERR]", "[ERR]", "[FTL]", "[Error]", "|ERROR|", " ERROR ", "fail: ", "crit: "]
      .contains(where: above.contains)
    let isUnity = text.lines[head.stack..<end].contains {
      $0.text.contains(") (at Assets/") || $0.text.contains("] in <")
    }
    return type.contains(".") && isError
      || isUnity && line[LogMargin.end(of: line)...].hasPrefix(type + ":")
  }

  /// The lines above a stack: the exception's type and its message.
  private struct Head {
    var line: Int
    var type: String?
    var said: String
    /// The first line that may contain a frame.
    var stack: Int
  }

  private static func head(_ text: ConsoleText) -> Head? {
    let line = text.lines[text.middle]
    if frame(line) != nil { return head(above: text) }
    let said = line.text[LogMargin.end(of: line.text)...]
    let next = text.middle + 1
    guard text.lines[next...].prefix(6).contains(where: { frame($0) != nil }) else { return nil }
    if said.contains(needles[3]), next < text.lines.count {
      let (words, end) = more(text, from: next)
      return Head(
        line: text.middle, type: "Assertion failed", said: words.joined(separator: " "), stack: end)
    }
    let (type, words) = Self.said(said)
    // A message may extend over several lines.
    if type != nil, Messages.meaning(ofReason: words) == nil {
      let (lines, end) = more(text, from: next)
      let rest = lines.map { $0.hasPrefix("---> ") ? Self.said($0.dropFirst(5)).text : $0 }
      if let claim = rest.first(where: { Messages.meaning(ofReason: $0) != nil }) {
        return Head(line: text.middle, type: type, said: claim, stack: end)
      }
    }
    return Head(line: text.middle, type: type, said: words, stack: next)
  }

  /// The lines between a headline and its stack.
  private static func more(_ text: ConsoleText, from next: Int) -> (words: [String], end: Int) {
    let end = text.lines[next...].prefix(6).firstIndex { frame($0) != nil } ?? next
    return (text.lines[next..<end].map(\.text.trimmed).filter { !$0.isEmpty }, end)
  }

  /// The headline above a stack in whose innermost frames the needle was found: a function that
  /// checks its thread.
  private static func head(above text: ConsoleText) -> Head? {
    var start = text.middle
    while start > 0, text.middle - start < 6, frame(text.lines[start - 1]) != nil { start -= 1 }
    guard text.middle - start < 6 else { return nil }
    if start > 0 {
      let above = text.lines[start - 1].text
      var (type, words) = said(above[LogMargin.end(of: above)...])
      // An event log has the type without a message.
      if type == nil, let last = above.trimmed.split(separator: " ").last,
        last.hasSuffix("Exception")
      {
        (type, words) = (String(last), "")
      }
      if type != nil { return Head(line: start - 1, type: type, said: words, stack: start) }
    }
    return Head(line: start, type: nil, said: "", stack: start)
  }

  private static func frames(
    _ text: ConsoleText, from start: Int
  ) -> (frames: [CrashReport.Frame], end: Int) {
    var frames: [CrashReport.Frame] = []
    var end = start
    var missed = 0
    for place in start..<max(start, min(text.lines.count, start + 300)) {
      text.search.lines += 1
      if let frame = frame(text.lines[place]) {
        frames.append(frame)
        end = place + 1
        missed = 0
      } else if text.lines[place].bytes.allSatisfy(\.isSpace) {
        // A blank line ends the stack, unless a blank line follows every line.
        let next = text.lines[(place + 1)...].first
        if !frames.isEmpty, next.flatMap(frame) == nil { break }
      } else {
        missed += 1
        // Unity prints an explanation between the message and the stack.
        if missed > (frames.isEmpty ? 4 : 1) { break }
      }
    }
    return (frames, end)
  }

  /// The exception's type and message, `UnityEngine.UnityException: get_transform can only be …`,
  /// or the message alone.
  private static func said(_ text: Substring) -> (type: String?, text: String) {
    var rest = text
    var type: String?
    while let colon = rest.range(of: ": ") {
      // The prefix of Windows' event log: `Exception Info: System.InvalidOperationException: …`.
      let isField = type == nil && isType(rest[colon.upperBound...])
      if rest[..<colon.lowerBound].trimmed.hasSuffix("Unhandled Exception")
        || isField && !isType(rest)
      {
        rest = rest[colon.upperBound...]
        continue
      }
      // `COMException (0x8001010E): …`
      let head = rest[..<colon.lowerBound]
      let bare =
        head.hasSuffix(")") ? head.range(of: " (0x").map { head[..<$0.lowerBound] } ?? head : head
      let word = bare.split(separator: " ").last ?? ""
      guard word.hasSuffix("Exception") || word.hasSuffix("Error") else { break }
      type = type ?? String(word)
      rest = rest[colon.upperBound...]
    }
    return (type, rest.trimmed)
  }

  /// True if a text begins with a namespace-qualified exception type:
  /// `System.InvalidOperationException: …`.
  private static func isType(_ text: Substring) -> Bool {
    let word = text.drop { $0 == " " }.prefix { $0 != " " && $0 != ":" }
    return word.contains(".") && (word.hasSuffix("Exception") || word.hasSuffix("Error"))
  }

  /// Parses a frame without its mark and perhaps without arguments: `A.B.C`, `A.B.C(Object o) in
  /// /src/B.cs:line 111`.
  static func frame(named text: Substring) -> CrashReport.Frame? {
    frame("at \(text.contains("(") ? text[...] : text + "()")")
  }

  /// Parses `at A.B.C (System.Object o) [0x00010] in <0f>:0`, `at A.B.C() in /src/B.cs:line 111`,
  /// and `A.B:C(Object) (at Assets/B.cs:12)`.
  private static func frame(_ line: ConsoleText.Line) -> CrashReport.Frame? {
    line.bytes.contains(UInt8(ascii: "(")) ? frame(line.text) : nil
  }

  private static func frame(_ line: String) -> CrashReport.Frame? {
    var text = line[LogMargin.end(of: line)...].trimmedOf(" \t>|")[...]
    let mark = marks.first(where: text.hasPrefix)
    let isMarked = mark != nil
    if let mark { text = text.dropFirst(mark.count) }
    let isWrapper = text.hasPrefix("(wrapper ")
    if isWrapper, let close = text.range(of: ") ") { text = text[close.upperBound...] }
    guard let open = text.firstIndex(of: "(") else { return nil }
    let name = text[..<open].trimmed
    let hasColon = name.contains(":")
    guard isMarked || hasColon, name.contains(".") || hasColon, !name.contains(" "),
      name.utf8.count < 256,
      let close = text[open...].firstIndex(of: ")"), !text.hasSuffix(".java)"),
      !text.hasSuffix(".kt)")
    else { return nil }
    // A Java frame has its file in the parentheses: `at a.B.c(B.java:12)`.
    let within = text[text.index(after: open)..<close]
    if within.contains(".java") || within.contains(".kt") || within == "Native Method" {
      return nil
    }
    let tail = text[text.index(after: close)...]
    guard isMarked ? true : tail.trimmed.isEmpty || tail.contains("(at ") else { return nil }
    var frame = CrashReport.Frame(symbol: name.replacing(":", with: "."))
    frame.image = String(frame.symbol.prefix { $0 != "." })
    place(tail, in: &frame)
    frame.isManaged = true
    if isWrapper { frame.isOwn = false }
    return frame
  }

  /// The words before a frame and before its position, in the languages of .NET's messages.
  private static let marks = [
    "at ", "bei ", "à ", "en ", "in ", "em ", "w ", "в ", "場所 ", "위치: ", "在 ", "於 ", "vid ", "ved ",
    "bij ",
    "v ", "konum: ", "a ",
  ]
  private static let placeMarks = [
    " in ", " dans ", " en ", " em ", " w ", " в ", " 場所 ", " 파일 ", " 位置 ", " 於 ", " i ", " v ",
    " konum: ",
  ]

  private static func place(_ tail: Substring, in frame: inout CrashReport.Frame) {
    let start =
      tail.range(of: "(at ")?.upperBound ?? tail.range(of: "] in ")?.upperBound
      ?? placeMarks.lazy.compactMap { tail.range(of: $0)?.upperBound }.first
    guard let start else { return }
    let text = tail[start...].trimmedOf(") ")
    guard let colon = text.lastIndex(of: ":"), !text.hasPrefix("<") else { return }
    frame.file = String(text[..<colon])
    let digits = text[text.index(after: colon)...].drop { !$0.isNumber }.prefix(while: \.isNumber)
    frame.line = Int(digits).flatMap {
      $0 > 0 ? $0 : nil
    }
  }
}

import IncidentModel

/// Reads Python tracebacks, except those of errors that the program handled.
enum PythonTraceback {
  static let needles = ["Traceback (most recent call last):"]
  private static let most = 400

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(of: needles[0]) else { return nil }
    let margin = line[..<mark.lowerBound]
    // The interpreter prints an exception in a finalizer and continues.
    let above = text.middle > 0 ? text.lines[text.middle - 1].text : ""
    if above.contains("Exception ignored in") { return nil }
    var frames: [CrashReport.Frame] = []
    var said: (type: String, text: String)?
    var end = text.middle + 1
    for place in end..<max(end, min(text.lines.count, end + most)) {
      text.search.lines += 1
      let whole = text.lines[place].text
      let line = whole.hasPrefix(margin) ? whole.dropFirst(margin.count) : whole[...]
      if let frame = frame(line) {
        frames.append(frame)
      } else if line.first?.isWhitespace != true, !line.isEmpty {
        said = exception(line)
        end = place + 1
        break
      }
      end = place + 1
    }
    // A traceback prints the outermost call first.
    frames.reverse()
    guard let said, !frames.isEmpty, !Messages.isLiteral(line) else { return nil }
    // A program may itself be an installed package; then the paths mark no frame as own code.
    if !frames.contains(where: { $0.isOwn == true }) {
      for place in frames.indices where isInstalled(frames[place]) { frames[place].isOwn = true }
    }
    let isCheck = frames.first.map { ThreadCheckName.matches($0.symbol) } ?? false
    guard
      Messages.meaning(ofReason: said.text) != nil || isCheck
        || isPlain(said.type, below: margin, from: text.middle, to: end, in: text)
    else { return nil }
    var report = CrashReport(.pythonTraceback)
    var failure = CrashReport.Failure(type: said.type, texts: [said.text].filter { !$0.isEmpty })
    failure.thrown = frames
    failure.thread = CrashReport.unknownThread
    failure.endsProcess = false
    report.threads = [thread(above: text.middle, in: text)]
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: text.middle, in: text)
    return (report, end)
  }

  /// Exceptions that end a program on request.
  private static let requests: Set<String> = [
    "KeyboardInterrupt", "SystemExit", "GeneratorExit", "asyncio.exceptions.CancelledError",
  ]
  private static let chains = [
    "During handling of the above exception", "was the direct cause of the following exception",
  ]

  /// True if a traceback unrelated to threads counts as a failure: the line above announces no
  /// handler, no test expects the exception, and the traceback is the last of its chain.
  private static func isPlain(
    _ type: String, below margin: Substring, from start: Int, to end: Int, in text: ConsoleText
  ) -> Bool {
    let isOfLog = margin.trimmed.last.map { ":|]>FE".contains($0) || $0.isNumber } ?? true
    let leads = text.lines[min(end, text.lines.count)...].prefix(3).contains { isChain($0.text) }
    guard isOfLog, !leads, !requests.contains(type) else { return false }
    // The program's log line is above the first traceback of a chain.
    var first = start
    while text.lines[..<first].suffix(3).contains(where: { isChain($0.text) }),
      let before = text.lines[..<first].lastIndex(where: { $0.text.contains(needles[0]) })
    {
      first = before
    }
    let above = text.lines[..<first].last { !$0.text.trimmed.isEmpty }?.text ?? ""
    return !HandledError.isAnnounced(by: above)
      && !PassedTests.expects(from: first, to: end, in: text)
  }

  private static func isChain(_ line: String) -> Bool { chains.contains(where: line.contains) }

  /// The thread in the line `Exception in thread Thread-3 (poll):` above a traceback.
  private static func thread(above line: Int, in text: ConsoleText) -> CrashReport.Thread {
    var thread = CrashReport.Thread(number: CrashReport.unknownThread)
    guard line > 0 else { return thread }
    let above = text.lines[line - 1].text
    if let mark = above.range(of: "Exception in thread ") {
      thread.name = above[mark.upperBound...].trimmedOf(": \t")
      thread.isMain = thread.name == "MainThread"
    } else if let named = LogThread.named(in: above), !named.name.isEmpty {
      thread.name = named.name
      thread.isMain = thread.name == "MainThread"
    }
    return thread
  }

  /// Parses `  File "/home/ana/kettle/feed.py", line 41, in on_message`.
  private static func frame(_ line: Substring) -> CrashReport.Frame? {
    let text = line.trimmed
    guard text.hasPrefix("File \""), let close = text.range(of: "\", line "),
      let comma = text[close.upperBound...].range(of: ", in "),
      let number = Int(text[close.upperBound..<comma.lowerBound])
    else { return nil }
    let file = String(text.dropFirst(6)[..<close.lowerBound])
    return frame(text[comma.upperBound...].trimmed, file, number)
  }

  /// The frame of a Python function. The path of the file identifies its owner.
  static func frame(_ function: String, _ file: String, _ line: Int) -> CrashReport.Frame {
    var frame = CrashReport.Frame(symbol: function, file: file, line: line)
    (frame.image, frame.isOwn) = module(of: file)
    return frame
  }

  /// The module of a file, and whether it is the program's own. Installed packages and Python's
  /// standard library are not.
  private static func module(of file: String) -> (name: String, isOwn: Bool) {
    let parts = file.split(separator: "/").flatMap { $0.split(separator: "\\") }.map(String.init)
    let roots = ["site-packages", "dist-packages"]
    let isBuiltIn = file.hasPrefix("<")
    let installed =
      parts.lastIndex(where: roots.contains)
      ?? parts.lastIndex { $0.hasPrefix("python") && $0.dropFirst(6).first?.isNumber == true }
      ?? (parts.lastIndex { $0 == "Lib" })
    let name = (installed.map { Array(parts[($0 + 1)...]) } ?? Array(parts.suffix(1)))
      .joined(separator: ".")
    let bare = name.hasSuffix(".py") ? String(name.dropLast(3)) : name
    return (
      bare.hasSuffix(".__init__") ? String(bare.dropLast(9)) : bare, installed == nil && !isBuiltIn
    )
  }

  /// True if a frame is in an installed package that is neither part of Python nor a UI toolkit.
  private static func isInstalled(_ frame: CrashReport.Frame) -> Bool {
    let file = frame.file ?? ""
    let isBeside = file.contains("site-packages") || file.contains("dist-packages")
    return isBeside && Toolkit(function: frame.image + ".", module: frame.image) == nil
      && !["PyQt", "PySide", "wx", "gi", "kivy"].contains(where: frame.image.hasPrefix)
  }

  /// Parses `RuntimeError: panel must be used on the main thread`.
  private static func exception(_ line: Substring) -> (type: String, text: String)? {
    let colon = line.range(of: ": ")
    let type = line[..<(colon?.lowerBound ?? line.endIndex)].trimmed
    guard !type.isEmpty, type.utf8.allSatisfy(\.isWord), !type.contains(" ") else { return nil }
    return (type, colon.map { line[$0.upperBound...].trimmed } ?? "")
  }
}

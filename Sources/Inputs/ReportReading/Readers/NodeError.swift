import IncidentModel

/// Reads uncaught errors of JavaScript programs, as Node and Electron print them.
enum NodeError {
  static let needles = ["Uncaught Exception:", "UnhandledPromiseRejection", "Node.js v"]

  static func read(_ text: ConsoleText) -> (report: CrashReport, end: Int)? {
    let line = text.lines[text.middle].text
    guard let mark = line.range(ofAny: needles),
      !Messages.isLiteral(line), !Messages.isQuoted(at: mark.lowerBound, in: line)
    else { return nil }
    guard var error = error(line, mark, text) else { return nil }
    // Electron tells the end of the process after the rejection that caused it.
    let below = text.lines[error.end...].prefix(4).firstIndex { $0.text.contains(needles[0]) }
    if error.isWarning, let below, let ended = Error(text, from: below + 1),
      ended.said == error.said
    {
      guard !ended.frames.contains(where: { $0.isOwn == true }) else {
        return nil
      }
      error.end = ended.end
      error.isWarning = false
    }
    guard !PassedTests.expects(from: error.start, to: error.end, in: text) else { return nil }
    var report = CrashReport(.console)
    var failure = CrashReport.Failure(
      type: error.type, texts: [error.message].filter { !$0.isEmpty },
      thread: CrashReport.unknownThread, thrown: error.frames)
    failure.endsProcess = !error.isWarning
    report.threads = [CrashReport.Thread(number: CrashReport.unknownThread)]
    report.failure = failure
    report.crumbs = LogLines.crumbs(above: error.start, in: text)
    return (report, max(error.end, text.middle + 1))
  }

  private static func error(
    _ line: String, _ mark: Range<String.Index>, _ text: ConsoleText
  ) -> Error? {
    // Node prints its version below the stack.
    if line[mark] == needles[2] {
      guard line[..<mark.lowerBound].trimmed.isEmpty else { return nil }
      let above = text.lines[..<text.middle].suffix(48)
      guard let last = above.lastIndex(where: { frame($0.text) != nil }),
        text.middle - last < 12
      else { return nil }
      var first = last
      while first > above.startIndex, frame(text.lines[first - 1].text) != nil { first -= 1 }
      guard first > 0 else { return nil }
      return Error(text, from: max(0, first - 1))
    }
    let said = line[mark.upperBound...].drop { $0 != ":" }.dropFirst().trimmed
    var error =
      line[mark] == needles[0] && line.hasSuffix(":")
      ? Error(text, from: text.middle + 1) : Error(text, from: text.middle, said: said)
    error?.isWarning = line[mark] == needles[1]
    return error
  }

  /// An error and its stack.
  private struct Error {
    var said: String
    var start: Int
    var end: Int
    var frames: [CrashReport.Frame] = []
    /// True if a message reports the error, and the process may go on.
    var isWarning = false

    var type: String { said.range(of: ": ").map { said[..<$0.lowerBound].trimmed } ?? said }
    var message: String { said.range(of: ": ").map { said[$0.upperBound...].trimmed } ?? "" }

    /// - Parameter said: The error, if its line also has other text.
    init?(_ text: ConsoleText, from line: Int, said: String? = nil) {
      guard line < text.lines.count else { return nil }
      self.said = said ?? text.lines[line].text[LogMargin.end(of: text.lines[line].text)...].trimmed
      (start, end) = (line, line + 1)
      while end < text.lines.count, let frame = NodeError.frame(text.lines[end].text) {
        frames.append(frame)
        end += 1
      }
      let type = self.said.prefix { $0 != ":" && $0 != " " }
      guard !frames.isEmpty, type.hasSuffix("Error") || type.hasSuffix("Exception") else {
        return nil
      }
    }
  }

  /// Parses `at Feed.load (/srv/app/feed.js:41:7)`, `at async /srv/app/index.js:88:3`.
  static func frame(_ line: String) -> CrashReport.Frame? {
    var text = line[LogMargin.end(of: line)...].trimmed[...]
    guard text.hasPrefix("at ") else { return nil }
    text = text.dropFirst(3)
    for word in ["async ", "new "] where text.hasPrefix(word) { text = text.dropFirst(word.count) }
    var name: Substring = ""
    if let open = text.lastRange(of: " ("), text.hasSuffix(")") {
      name = text[..<open.lowerBound]
      text = text[open.upperBound...].dropLast()
    }
    guard !text.contains(" ") || text.hasPrefix("/") || text.hasPrefix("file:"),
      let place = SourcePosition(text), isScript(place.file)
    else { return nil }
    if let open = name.range(of: " [as ") { name = name[..<open.lowerBound] }
    var frame = CrashReport.Frame(file: place.file, line: place.line)
    frame.symbol = name.isEmpty || name.hasPrefix("Object.<anonymous>") ? place.name : String(name)
    frame.isOwn =
      !["node:", "electron/js2c", "internal/"].contains(where: place.file.hasPrefix)
      && !place.file.contains("/node_modules/")
    frame.image = frame.isOwn == true ? "JavaScript" : "node"
    return frame
  }

  private static func isScript(_ file: String) -> Bool {
    file.hasPrefix("node:") || file.hasPrefix("internal/") || file.hasPrefix("electron/")
      || [".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx", ".jsx"].contains(where: file.hasSuffix)
  }
}

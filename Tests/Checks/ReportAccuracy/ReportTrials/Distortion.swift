/// What happens to a report on its way into a thread, a mail or a log, and what must be left of it for the
/// same verdict.
package enum Distortion: String, CaseIterable, Sendable {
  case quoted, indented, commented, starred, wrapped, withoutAddresses, markdown, html, json
  case withoutHead, withoutTail, blankLinesDoubled, withoutBlankLines, ciPrefix, logcatPrefix

  /// How the page calls it.
  package var title: String {
    switch self {
    case .quoted: "quoted, `> `"
    case .indented: "indented by four"
    case .commented: "commented, `// `"
    case .starred: "in a comment, ` * `"
    case .wrapped: "wrapped at 72 columns"
    case .withoutAddresses: "addresses left out"
    case .markdown: "escaped as Markdown"
    case .html: "escaped as HTML"
    case .json: "as a string of JSON"
    case .withoutHead: "the first fifth dropped"
    case .withoutTail: "the last fifth dropped"
    case .blankLinesDoubled: "blank lines doubled"
    case .withoutBlankLines: "blank lines left out"
    case .ciPrefix: "a CI's times before each line"
    case .logcatPrefix: "logcat's prefix before each line"
    }
  }

  package func apply(to text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    switch self {
    case .quoted: return Self.each(lines) { "> \($0)" }
    case .indented: return Self.each(lines) { "    \($0)" }
    case .commented: return Self.each(lines) { "// \($0)" }
    case .starred: return Self.each(lines) { " * \($0)" }
    case .wrapped: return lines.map(Self.wrapped).joined(separator: "\n")
    case .withoutAddresses:
      return text.replacing(#/0x[0-9a-fA-F]{4,16}/#, with: "")
    case .markdown: return Self.escaped(text) { #"_*[]#`<>"#.contains($0) ? "\\\($0)" : "\($0)" }
    case .html:
      let signs: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
      return "<pre>\n" + Self.escaped(text) { signs[$0] ?? "\($0)" } + "\n</pre>\n"
    case .json: return #"{"body": "\#(Self.escaped(text, Self.jsonSign))"}"#
    case .withoutHead: return lines.dropFirst(lines.count / 5).joined(separator: "\n")
    case .withoutTail: return lines.dropLast(lines.count / 5).joined(separator: "\n")
    case .blankLinesDoubled: return lines.joined(separator: "\n\n")
    case .withoutBlankLines:
      return lines.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
    case .ciPrefix: return Self.each(lines) { "2024-10-01T08:00:00.1234567Z \($0)" }
    case .logcatPrefix:
      return Self.each(lines) { "10-01 08:00:00.123  4242  4260 I Quarry  : \($0)" }
    }
  }

  private static func each(_ lines: [Substring], _ make: (Substring) -> String) -> String {
    lines.map(make).joined(separator: "\n")
  }

  private static func escaped(_ text: String, _ sign: (Character) -> String) -> String {
    var escaped = ""
    for character in text { escaped += sign(character) }
    return escaped
  }

  private static func jsonSign(_ sign: Character) -> String {
    switch sign {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n", "\r\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: sign.isASCII && sign.asciiValue! < 32 ? " " : "\(sign)"
    }
  }

  private static func wrapped(_ line: Substring) -> String {
    var rest = line
    var pieces: [Substring] = []
    while rest.count > 72 {
      let limit = rest.index(rest.startIndex, offsetBy: 72)
      guard let space = rest[..<limit].lastIndex(of: " "), space > rest.startIndex else { break }
      pieces.append(rest[..<space])
      rest = rest[rest.index(after: space)...]
    }
    return (pieces + [rest]).joined(separator: "\n")
  }

  /// Whether enough is left for the same verdict, by what was fixed before any of it was read: every line
  /// that holds the evidence (a checker's or a system's own words, the check's functions) is still whole,
  /// and so are the thread's line and one that names the culprit.
  package func keepsEnough(of text: String, in distorted: String, _ trial: ReportTrial) -> Bool {
    switch self {
    case .withoutHead, .withoutTail, .wrapped: break
    // A line of JSON or of a journal has its address within.
    case .withoutAddresses: return !text.contains("dumped core.")
    default: return true
    }
    let left = Set(distorted.split(whereSeparator: \.isNewline))
    return text.split(whereSeparator: \.isNewline).allSatisfy { line in
      !Self.isEvidence(line, trial) || left.contains(line)
    }
  }

  private static func isEvidence(_ line: Substring, _ trial: ReportTrial) -> Bool {
    let marks = [
      "Main Thread Checker: ", "PID: ", "hread", "dispatch_assert_queue", "swift_task_",
      "Exception Type:", "queue [", "executor", "crashed", "Exception", "objc_exception_throw",
      "dumped core", "stack trace:", "Process:", "Incident Identifier:", "Binary Images:",
    ]
    if marks.contains(where: line.contains) { return true }
    return trial.culprit.map { line.contains($0) } ?? false
  }
}

/// A text buffer that indents lines.
struct Lines {
  private(set) var text = ""
  private var depth = 0

  mutating func add(_ line: String) {
    text += line.isEmpty ? "\n" : String(repeating: "  ", count: depth) + line + "\n"
  }

  /// Adds `head {`, the lines of `body`, and the closing brace with `tail`.
  mutating func block(_ head: String, closing tail: String = "}", _ body: (inout Lines) -> Void) {
    add(head.hasSuffix(" in") || head.hasSuffix("{") ? head : "\(head) {")
    depth += 1
    body(&self)
    depth -= 1
    add(tail)
  }

  /// Adds a call. If the call does not fit on one line, its arguments are on separate lines.
  mutating func add(call: String) {
    let text = Substring(call)
    guard !fits(call), call.hasSuffix(")"), let open = text.firstIndex(of: "("),
      TypeText.end(ofBracketAt: open, in: text) == text.endIndex
    else { return add(call) }
    add(String(text[...open]))
    let arguments = TypeText.split(text[open...].dropFirst().dropLast(), by: ",")
    fill(arguments.map(String.init), closing: ")")
  }

  /// Adds the captures and the signature of a closure.
  mutating func add(captures: [String], _ signature: String) {
    let line = "[\(captures.joined(separator: ", "))] \(signature)"
    if fits(line) { return add(line) }
    add("[")
    fill(captures, closing: "")
    add("] \(signature)")
  }

  /// Adds the parts, as many as fit on each line.
  private mutating func fill(_ parts: [String], closing tail: String) {
    var line = ""
    for (index, text) in parts.enumerated() {
      let part = text + (index + 1 < parts.count ? "," : tail)
      if !line.isEmpty && !fits("  \(line) \(part)") {
        add("  \(line)")
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + part
    }
    add("  \(line)")
  }

  /// True if the line fits at the current indentation.
  func fits(_ line: String) -> Bool { depth * 2 + line.count <= 100 }
}

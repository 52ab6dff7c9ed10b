import IncidentModel

/// A continuation that was lost because a source line overwrote it with another continuation.
struct ReplacedContinuation {
  /// The variable or entry that stored both continuations: `waiting[zone]`.
  let store: String
  var isKeyed: Bool { store.contains("[") }

  init?(at place: CodePlace) {
    guard let path = place.file, let line = place.line, path.hasSuffix(".swift"),
      let text = SwiftFiles.shared.text(at: path), let byte = text.beginning(ofLine: line),
      let found = text.codeText(text.range(ofLine: line)).firstMatch(
        of: /(?:^|[\s{])(?:self\.)?([A-Za-z_$][\w.]*(?:\[[^\[\]]+\])?) = ([A-Za-z_]\w*)\s*(?:$|\})/)
    else { return nil }
    let around = text.blocks(around: byte).prefix { $0.kind != .type }
    let isContinuation = around.contains { block in
      if block.kind == .function {
        // The function stores a continuation parameter.
        return block.header.contains(/\bContinuation</.self) && block.header.words.contains(found.2)
          || block.header.contains("CheckedContinuation<") && block.header.words.contains(found.2)
      }
      let begin = text.codeText(block.open + 1..<min(block.close, block.open + 200))
      return block.header.words.contains(where: SourceCalls.makesContinuation)
        && begin.prefix { $0 != "\n" }.words.contains(found.2)
    }
    guard isContinuation, !Self.isLocal(found.1, in: text, at: line, around) else { return nil }
    // The closure parameter of `withLock` is the value that the lock guards.
    let code = text.codeText(text.range(ofLine: line))
    let lock = code.firstMatch(of: /(\w+)\.withLock\w*\s*\{/)?.1
    store = String(found.1).replacing("$0", with: lock.map(String.init) ?? "$0")
  }

  /// True if code stores into a local variable of an enclosing function or closure, or into `_`.
  private static func isLocal(
    _ store: Substring, in text: SwiftText, at line: Int, _ around: ArraySlice<SwiftText.Block>
  ) -> Bool {
    let name = store.prefix { $0 != "[" && $0 != "." }
    let end = text.range(ofLine: line).upperBound
    return name == "_"
      || around.contains { block in
        let words = text.codeText(block.open..<min(block.close, end)).words
        return zip(words, words.dropFirst()).contains {
          ["let", "var"].contains($0) && $1 == name
        }
      }
  }

  /// Returns the fix.
  ///
  /// - Parameter resume: The line that resumes the stored continuation; nil if unknown.
  func fix(_ resume: CodePlace?) -> Finding.Fix {
    let position = resume?.shortPosition.map { " at \($0)" } ?? ""
    let all = isKeyed ? "all continuations of one key in an array" : "all continuations in an array"
    let second =
      isKeyed
      ? "a second call for a key that already waits" : "a second call while the first one waits"
    return Finding.Fix("Keep \(all), and resume each of them\(position); or reject \(second).")
  }
}

import IncidentModel

/// Builds edits of a Swift source that move code to the right queue.
extension SwiftBody {
  /// The maximum number of lines of a body that a report shows as an edit.
  private static let mostLines = 60

  /// Wraps all statements in a call that runs them later, such as `DispatchQueue.main.async`.
  func wrapped(in call: String) -> Finding.Fix.Edit? {
    guard mayRunLater, !isInActor, !code.trimmed.isEmpty, !code.trimmed.hasPrefix(call),
      block.kind != .closure || !readsVariable(start..<block.close, but: weaklyCaptured)
    else { return nil }
    let (capture, guarding) = capturing(text.read(start..<block.close))
    let head = "\(call) {\(capture)"
    let (first, last) = (text.line(of: start), text.line(of: block.close))
    guard last - first <= Self.mostLines else { return nil }
    if first == last {
      let line = text.lines[first - 1]
      let begin = text.range(ofLine: first).lowerBound
      let indent = String(line.prefix { $0 == " " })
      let body = text.text(start..<block.close).trimmed
      let front = String(decoding: Array(line.utf8)[..<(start - begin)], as: UTF8.self)
      let back = String(decoding: Array(line.utf8)[(block.close - begin)...], as: UTF8.self)
      let inside = [head] + guarding.map { "  " + $0 } + ["  " + body, "}"]
      return edit(
        first...last,
        [String(front.withoutTrailingBlanks)] + inside.map { indent + "  " + $0 } + [indent + back])
    }
    // Code next to the braces would stay outside the closure, so the lines of the braces must be empty.
    let isBare = { (range: Range<Int>) in text.codeText(range).trimmed.isEmpty }
    guard isBare(start..<text.range(ofLine: first).upperBound),
      isBare(text.range(ofLine: last).lowerBound..<block.close), last - first > 1
    else { return nil }
    let inner = text.lines[first..<(last - 1)]
    let indent = String((inner.first { !$0.trimmed.isEmpty } ?? "").prefix { $0 == " " })
    let wrapped =
      [head] + guarding.map { "  " + $0 }
      + inner.map { $0.isEmpty ? "" : "  " + $0.dropIndent(indent) } + ["}"]
    return edit(first + 1...last - 1, wrapped.map { $0.isEmpty ? "" : indent + $0 })
  }

  /// Returns the capture list for a closure around `code`, and the statements that the closure
  /// begins with.
  private func capturing(_ code: String) -> (String, [String]) {
    let weak = signature.captured.filter { $0.hasPrefix("weak ") }
    if !weak.isEmpty { return (" [\(weak.joined(separator: ", "))] in", []) }
    guard usesSelf(code) else { return ("", []) }
    guard isInClass else {
      let isValue = type.map {
        $0.header.words.contains("struct") || $0.header.words.contains("enum")
      }
      return isValue ?? false ? ("", []) : (" [self] in", [])
    }
    return (" [weak self] in", ["guard let self else { return }"])
  }

  // MARK: Statements

  /// Returns the statement that begins or continues on a line.
  func statement(onLine line: Int) -> Range<Int>? {
    var first = line
    guard let place = text.beginning(ofLine: line), place >= start || text.line(of: start) == line
    else { return nil }
    while first > text.line(of: start),
      SwiftLine.continues(text.codeText(text.range(ofLine: first)))
        || SwiftLine.isOpen(text.codeText(text.range(ofLine: first - 1)))
    { first -= 1 }
    let begin = max(text.beginning(ofLine: first) ?? start, start)
    let from = (begin..<block.close).first { text.code[$0] != 32 && text.code[$0] != 10 } ?? begin
    var depth = 0
    for place in from..<block.close {
      switch text.code[place] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth < 0 { return trimmed(from..<place) }
      case UInt8(ascii: ";") where depth == 0: return trimmed(from..<place)
      case UInt8(ascii: "\n") where depth == 0:
        let number = text.line(of: place)
        let next = number < text.lines.count ? text.codeText(text.range(ofLine: number + 1)) : ""
        let isMore = !next.trimmed.isEmpty && !next.trimmed.hasPrefix("}")
        if isMore && SwiftLine.continues(next) { continue }
        if SwiftLine.isOpen(text.codeText(text.range(ofLine: number))) { continue }
        return trimmed(from..<place)
      default: break
      }
    }
    return trimmed(from..<block.close)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, [32, 10, 9].contains(text.code[end - 1]) { end -= 1 }
    return range.lowerBound..<end
  }

  /// True if a statement is a call or an assignment that can be moved unchanged.
  func isPlain(_ statement: Range<Int>) -> Bool {
    // An actor's state stays isolated to the actor.
    guard !isInActor, !readsVariable(statement, but: weaklyHeld(statement)) else { return false }
    let code = text.codeText(statement)
    let first = code.words.first ?? ""
    let keywords: Set<Substring> = [
      "let", "var", "return", "throw", "guard", "if", "for", "while", "switch", "do", "defer",
      "try",
      "await", "func", "break", "continue", "case", "repeat", "_",
    ]
    return !keywords.contains(first[...]) && !code.words.contains("await")
      && !code.words.contains("try") && !text.read(statement).contains("$0")
      && code.first.map { $0.isLetter || $0 == "_" } ?? false
  }

  /// Returns the weak captures that a statement reads by optional chaining: `board` in
  /// `board?.show(rows)`.
  private func weaklyHeld(_ statement: Range<Int>) -> [String] {
    let read = text.read(statement)
    return weaklyCaptured.filter { read.words.contains($0[...]) && read.contains($0 + "?") }
  }

  /// Wraps the statement and all others of this body with the same receiver in `call`; nil if one
  /// of these statements cannot be wrapped.
  func statements(like statement: Range<Int>, in call: String, isEscaping: Bool) -> [Finding.Fix
    .Edit]?
  {
    let receiver = receiver(of: statement)
    var edits: [Finding.Fix.Edit] = []
    var done: [Range<Int>] = []
    for line in text.line(of: start)...text.line(of: block.close) {
      guard let place = text.beginning(ofLine: line), place > start, place < block.close,
        text.blocks(around: place).first(where: { $0.kind != .control })?.open == block.open,
        let found = self.statement(onLine: line), !done.contains(found)
      else { continue }
      guard found == statement || self.receiver(of: found) == receiver else { continue }
      guard isPlain(found), let edit = self.edit(found, in: call, isEscaping) else { return nil }
      done.append(found)
      edits.append(edit)
    }
    if !done.contains(statement) {
      guard isPlain(statement), let edit = edit(statement, in: call, isEscaping) else { return nil }
      edits.append(edit)
    }
    return edits
  }

  /// True if code after a statement of this body uses any of these names. Statements with the same
  /// receiver do not count, because the fix sends them too.
  func names(_ words: Set<Substring>, after statement: Range<Int>) -> Bool {
    let receiver = receiver(of: statement)
    let end = text.line(of: block.close)
    let others = alternatives(to: statement)
    var line = text.line(of: statement.upperBound - 1) + 1
    while line <= end {
      defer { line += 1 }
      guard let place = text.beginning(ofLine: line), place < block.close,
        !others.contains(where: { $0.contains(place) })
      else { continue }
      let part = place..<min(text.range(ofLine: line).upperBound, block.close)
      if let next = self.statement(onLine: line), next.lowerBound == place, isPlain(next),
        self.receiver(of: next) == receiver
      {
        line = text.line(of: next.upperBound - 1)
      } else if !words.isDisjoint(with: text.read(part).words) {
        return true
      }
    }
    return false
  }

  /// Returns the `else` branches that do not run if `statement` runs.
  private func alternatives(to statement: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for around in text.blocks(around: statement.lowerBound) where around.kind == .control {
      var close = around.close
      while let next = text.blocks.first(where: {
        $0.open > close && $0.header.hasPrefix("else")
          && text.codeText(close + 1..<$0.headerStart).trimmed.isEmpty
      }) {
        found.append(next.open..<next.close)
        close = next.close
      }
    }
    return found
  }

  /// Returns the object on which a statement calls a method; for a call of a free function, the
  /// function.
  func receiver(of statement: Range<Int>) -> String {
    let code = text.codeText(statement)
    let path = code.prefix { $0.isLetter || $0.isNumber || ".?!_".contains($0) }
    guard let dot = path.lastIndex(of: ".") else { return String(path) }
    return path[..<dot].filter { $0 != "?" && $0 != "!" }
  }

  private func edit(
    _ statement: Range<Int>, in call: String, _ isEscaping: Bool
  ) -> Finding.Fix.Edit? {
    let (first, last) = (
      text.line(of: statement.lowerBound), text.line(of: statement.upperBound - 1)
    )
    let body = text.text(statement)
    let weak = weaklyHeld(statement).map { "weak " + $0 }
    let needsSelf = isEscaping && usesSelf(text.read(statement)) && !isInValue
    let captured = weak.isEmpty ? needsSelf ? ["self"] : [] : weak
    let head = call + " {" + (captured.isEmpty ? "" : " [\(captured.joined(separator: ", "))] in")
    let start = text.range(ofLine: first).lowerBound
    let line = Array(text.lines[first - 1].utf8)
    let front = String(decoding: line[..<(statement.lowerBound - start)], as: UTF8.self)
    let end = text.range(ofLine: last).lowerBound
    let rest = Array(text.lines[last - 1].utf8)
    let back = String(decoding: rest[(statement.upperBound - end)...], as: UTF8.self)
    if first == last, front.utf8.count + head.utf8.count + body.utf8.count + back.utf8.count < 96 {
      return edit(first...last, [front + head + " " + body + " }" + back])
    }
    guard front.trimmed.isEmpty else { return nil }
    let inner = body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let lines = [front + head, front + "  " + inner[0]] + inner.dropFirst().map { "  " + $0 }
    return edit(first...last, lines + [front + "}" + back])
  }

  private var isInValue: Bool {
    type.map { ["struct", "enum"].contains(SwiftHeader.declaration($0.header).first ?? "") }
      ?? false
  }

  /// The edit that adds `import Dispatch`; empty if the file already imports a module that provides
  /// it on every platform.
  var dispatchImport: [Finding.Fix.Edit] {
    SwiftFiles.shared.dispatchImport(of: path) { soughtImport }
  }

  private var soughtImport: [Finding.Fix.Edit] {
    var place: Int?
    var conditions: [Int] = []
    for line in 1...text.lines.count {
      let code = text.codeText(text.range(ofLine: line))
      if code.trimmed.hasPrefix("#if") { conditions.append(line) }
      if code.trimmed.hasPrefix("#endif") { _ = conditions.popLast() }
      guard code.words.prefix(3).contains("import") else { continue }
      place = place ?? conditions.first ?? line
      let brings = code.words.contains("Dispatch") || code.words.contains("Foundation")
      if brings, conditions.isEmpty { return [] }
    }
    if let place { return [edit(place...place, ["import Dispatch", text.lines[place - 1]])] }
    return [edit(1...1, ["import Dispatch", "", text.lines[0]])]
  }

  private func edit(_ lines: ClosedRange<Int>, _ replacement: [String]) -> Finding.Fix.Edit {
    Finding.Fix.Edit(
      file: path, lines: .init(first: lines.lowerBound, last: lines.upperBound),
      replacement: replacement)
  }
}

extension StringProtocol {
  fileprivate func dropIndent(_ indent: String) -> String {
    hasPrefix(indent) ? String(dropFirst(indent.count)) : String(self)
  }

  /// The captures in a closure's signature: `weak self`, `rows`.
  var captured: [String] {
    guard let open = firstIndex(of: "["), let close = firstIndex(of: "]"), open < close else {
      return []
    }
    return self[index(after: open)..<close].split(separator: ",").map(\.trimmed)
  }
}

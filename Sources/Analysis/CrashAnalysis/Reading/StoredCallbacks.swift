import IncidentModel

/// The calls of closures that one property stores, found in the source.
///
///     guard let reply = replies[ticket] else { return }
///     reply(result)  // the closure stays in “replies”, and may be called again
struct StoredCallbacks {
  struct Call {
    let place: CodePlace
    /// True if the closure is removed from the property.
    let removes: Bool
  }

  let property: String
  /// The call on the stack.
  let call: Call
  let others: [Call]

  /// Finds the calls of the closures that the call at `place` takes from a property.
  ///
  /// - Returns: nil if no other line of the file calls such a closure, or if all calls remove it.
  init?(_ place: CodePlace) {
    guard let path = place.file, let line = place.line, path.hasSuffix(".swift"),
      let text = SwiftFiles.shared.text(at: path),
      let property = Self.called(line, in: text).compactMap({ Self.source(of: $0, line, text) })
        .first,
      Self.isStored(property, in: text)
    else { return nil }
    let calls = (1...text.lines.count).flatMap { line in
      Self.called(line, in: text).filter { Self.source(of: $0, line, text) == property }.map {
        let binding = Self.binding(of: $0, line, text)?.line ?? line
        return Call(
          place: SourceLine.added(
            to: CodePlace(
              function: Self.function(at: line, in: text), module: place.module, file: path,
              line: line)),
          removes: Self.removes(property, around: binding, text))
      }
    }
    guard let call = calls.first(where: { $0.place.line == line }) else { return nil }
    self.property = property
    self.call = call
    others = calls.filter { $0.place.line != line }
    if others.isEmpty || calls.allSatisfy(\.removes) { return nil }
  }

  var evidence: [Finding.Evidence] {
    others.prefix(2).map {
      Finding.Evidence(
        "this line also calls a closure of “\(property)”"
          + ($0.removes ? "" : ", which stays there"),
        place: $0.place)
    }
  }

  var fix: String {
    func list(_ calls: [Call]) -> String {
      calls.prefix(3).compactMap(\.place.shortPosition).joined(separator: " and ")
    }
    let keeping = ([call] + others).filter { !$0.removes }
    let model = ([call] + others).filter(\.removes).prefix(1)
    return "Remove the closure from “\(property)” before \(list(keeping)) calls it"
      + (model.isEmpty ? "" : ", as \(list(Array(model))) does")
      + ". A closure that stays there is called again."
  }

  private static func function(at line: Int, in text: SwiftText) -> String {
    guard let byte = text.beginning(ofLine: line) else { return "" }
    let function = text.blocks(around: byte).first { $0.kind == .function }
    return function.map { SwiftBody.title(of: $0, text) } ?? ""
  }

  /// Returns the names that a line calls, with the subscript of a property: `reply`, `onEnd`,
  /// `replies[ticket]`.
  private static func called(_ line: Int, in text: SwiftText) -> [String] {
    text.codeText(text.range(ofLine: line))
      .matches(of: /(?:^|[^.\w]|self\.)(\w+)(?:\[[^\]]*\])?[?!]?\(/)
      .map { String($0.1) }
  }

  /// Returns the property from which the closure `name` comes that a line calls.
  private static func source(of name: String, _ line: Int, _ text: SwiftText) -> String? {
    binding(of: name, line, text)?.property ?? (isStored(name, in: text) ? name : nil)
  }

  /// Finds the last line before the call that gives a local constant the value of a property.
  private static func binding(
    of name: String, _ line: Int, _ text: SwiftText
  ) -> (line: Int, property: String)? {
    guard let byte = text.beginning(ofLine: line),
      let function = text.blocks(around: byte).first(where: { $0.kind == .function })
    else { return nil }
    for before in (text.line(of: function.open)...line).reversed() {
      let code = text.codeText(text.range(ofLine: before))
      for found in code.matches(of: /\b(?:let|var)\s+(\w+)\s*=\s*(?:self\.)?(\w+)/)
      where found.1 == name { return (before, String(found.2)) }
      for found in code.matches(of: /\bfor\s+(?:\(\w+,\s*)?(\w+)\)?\s+in\s+(?:self\.)?(\w+)/)
      where found.1 == name { return (before, String(found.2)) }
    }
    return nil
  }

  /// True if a type of the file declares a variable of this name.
  private static func isStored(_ name: String, in text: SwiftText) -> Bool {
    (1...text.lines.count).contains { line in
      let code = text.codeText(text.range(ofLine: line))
      let declares = zip(code.words, code.words.dropFirst()).contains {
        $0 == "var" && $1 == name[...]
      }
      guard declares, let start = text.beginning(ofLine: line)
      else { return false }
      return text.blocks(around: start).first?.kind == .type
    }
  }

  /// True if the innermost block around a line removes a value from the property.
  private static func removes(_ property: String, around line: Int, _ text: SwiftText) -> Bool {
    guard let byte = text.beginning(ofLine: line), let block = text.blocks(around: byte).first
    else { return false }
    let code = text.codeText(block.open..<block.close)
    return code.matches(
      of: /(\w+)(?:\.(?:remove\w*|popFirst|popLast)\(|(?:\[[^\]]*\])?\s*=\s*(?:nil|\[\]|\[:\]))/
    ).contains { $0.1 == property }
  }
}

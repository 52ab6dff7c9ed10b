import IncidentModel

/// Finds both resumes of a continuation in the source: the one in which the process died, and the
/// earlier one.
struct ResumedTwice {
  let evidence: [Finding.Evidence]
  let fix: String

  init?(_ crash: CrashReading) {
    let places = crash.reading.links.map(\.frame.place) + crash.reading.awaiting.map(\.frame.place)
    guard
      let function = ContinuationSource.function(
        in: crash.crash.text, before: " tried to resume its continuation"),
      let source = ContinuationSource(of: function, near: places), let second = places.first,
      !source.resumes.isEmpty
    else { return nil }
    let others = source.resumes.filter { $0.file != second.file || $0.line != second.line }
    let made = source.made.map {
      [Finding.Evidence("the continuation was created here", place: $0)]
    }
    let isKnown = others.count < source.resumes.count && Self.isExact(second)
    // The closure runs once, but a callback in it may run any number of times.
    if isKnown, others.count == 1, source.resumes.count == 2, source.areInItsOwnClosure {
      evidence =
        (made ?? []) + [Finding.Evidence("the first resume of the continuation", place: others[0])]
      fix =
        "\(others[0].shortPosition ?? "") has already resumed the continuation: let only one of the two lines run, with a return after the "
        + "first or with else."
    } else if isKnown, others.isEmpty, places.count > 1, let calls = CallbackCalls(places[1]) {
      evidence =
        (made ?? [])
        + calls.others.prefix(2).map {
          Finding.Evidence(
            "this line also calls “\(calls.name)”, which resumes the continuation", place: $0)
        }
      let lines = [places[1]] + calls.others.prefix(1)
      fix =
        "Let only the first of \(lines.compactMap(\.shortPosition).joined(separator: " and ")) call “\(calls.name)”: check and set a flag before each call."
    } else if isKnown, others.isEmpty, places.count > 1, let stored = StoredCallbacks(places[1]) {
      evidence = (made ?? []) + stored.evidence
      fix = stored.fix
    } else if isKnown, others.isEmpty, source.isWhole {
      evidence =
        (made ?? []) + [
          Finding.Evidence(
            "no other line of the source resumes the continuation: this line ran twice",
            place: second)
        ]
      fix =
        "\(second.shortPosition ?? "This line") ran twice: resume the continuation only the first time."
    } else {
      evidence =
        (made ?? [])
        + source.resumes.prefix(Self.most).map {
          Finding.Evidence(
            source.resumes.count == 1
              ? "the only line of the file that resumes the continuation"
              : "a line that resumes the continuation",
            place: $0)
        }
      fix = Self.fixOfMany(source.resumes, of: function)
    }
  }

  /// The maximum number of lines that a fix names.
  private static let most = 4

  /// Returns the fix if several lines may resume the continuation. If all of them resume one
  /// property, the first resume can set it to nil.
  private static func fixOfMany(_ resumes: [CodePlace], of function: String) -> String {
    let more = resumes.count > most ? ["\(resumes.count - most) more"] : []
    let places = (resumes.prefix(most).compactMap(\.shortPosition) + more)
      .joined(separator: " and ")
    let stored = Set(resumes.map(property))
    guard stored.count == 1, let property = stored.first.flatMap(\.self) else {
      if resumes.count == 1 {
        return
          "Only \(places) resumes the continuation in this file: resume it only in the first call."
      }
      return
        "Let only the first of \(places) resume the continuation of \(function): check and set a flag before each resume."
    }
    return
      "Take “\(property)” and set it to nil before you resume it, at \(places); do both in one atomic step "
      + "if these lines run on several threads. The second line then finds nil."
  }

  /// Returns the name of the optional property whose continuation a line resumes; nil if the line
  /// resumes anything else.
  private static func property(_ place: CodePlace) -> String? {
    guard let path = place.file, let line = place.line,
      let text = SwiftFiles.shared.text(at: path), let byte = text.beginning(ofLine: line),
      let found = text.codeText(text.range(ofLine: line)).firstMatch(of: /(\w+)\?\.resume\b/)
    else { return nil }
    let name = String(found.1)
    func declares(_ code: String) -> Bool {
      zip(code.words, code.words.dropFirst()).contains {
        ["let", "var"].contains($0) && $1 == name[...]
      }
    }
    let function = text.blocks(around: byte).last { $0.kind == .function || $0.kind == .accessor }
    if let function, declares(text.codeText(function.open..<function.close)) { return nil }
    let isProperty = (1...text.lines.count).contains { line in
      let code = text.codeText(text.range(ofLine: line))
      guard code.contains("Continuation<"), code.words.contains("var"), declares(code),
        let start = text.beginning(ofLine: line)
      else { return false }
      return text.blocks(around: start).first?.kind == .type
    }
    return isProperty ? name : nil
  }

  /// True if the line belongs to the resume itself. An optimized build may merge equal calls and
  /// give them a line of the function into which the closure was inlined.
  private static func isExact(_ place: CodePlace) -> Bool {
    guard let line = place.line, let body = SwiftBody(place),
      let start = body.text.beginning(ofLine: line)
    else { return false }
    let around = body.text.blocks(around: start).first { $0.kind != .control }
    return around?.open == body.block.open || body.text.line(of: body.block.open) == line
  }
}

/// The calls of a closure parameter inside the function that received it, found in the source.
private struct CallbackCalls {
  let name: String
  /// The calls other than the one on the stack.
  let others: [CodePlace]

  /// Finds the calls of the same closure parameter on other lines.
  ///
  /// - Returns: nil unless another line calls the same parameter of the function.
  init?(_ place: CodePlace) {
    guard let path = place.file, let line = place.line, path.hasSuffix(".swift"),
      let text = SwiftFiles.shared.text(at: path), let byte = text.beginning(ofLine: line),
      let function = text.blocks(around: byte).first(where: { $0.kind == .function })
    else { return nil }
    func calls(_ line: Int) -> [String] {
      text.codeText(text.range(ofLine: line)).matches(of: /(?:^|[^.\w])(\w+)\(/).map {
        String($0.1)
      }
    }
    let parameters = Set(
      function.header.matches(of: /(\w+):/).map { String($0.1) })
    let called = calls(line).filter(parameters.contains)
    guard called.count == 1 else { return nil }
    name = called[0]
    others = (text.line(of: function.open)...text.line(of: function.close)).filter {
      $0 != line && calls($0).contains(called[0]) && !Self.exclude($0, line, in: text)
    }.map {
      SourceLine.added(
        to: CodePlace(function: place.function, module: place.module, file: path, line: $0))
    }
    if others.isEmpty { return nil }
  }

  /// True if one execution of the function reaches only one of two lines: they are in different
  /// branches of one `if` or `switch`, or the first line leaves the function.
  private static func exclude(_ line: Int, _ other: Int, in text: SwiftText) -> Bool {
    let (first, second) = (min(line, other), max(line, other))
    func place(_ line: Int) -> Int { callPlace(text.range(ofLine: line), text) }
    let (one, two) = (text.blocks(around: place(first)), text.blocks(around: place(second)))
    let own = one.filter { block in !two.contains { $0.open == block.open } }
    guard let branch = own.last else {
      guard let shared = one.first, shared.header.words.first == "switch" else { return false }
      return (first + 1...second).contains { line in
        guard let start = text.beginning(ofLine: line),
          text.blocks(around: start).first?.open == shared.open
        else { return false }
        let word = text.codeText(text.range(ofLine: line)).words.first
        return word == "case" || word == "default"
      }
    }
    guard branch.kind == .control else { return false }
    if own.allSatisfy({ $0.kind == .control }) {
      let rest = text.codeText(text.range(ofLine: first).lowerBound..<own[0].close)
      if rest.words.contains("return") || rest.words.contains("throw") { return true }
    }
    // The branches of one `if`: each starts after the end of the previous branch.
    var last = branch
    while let next = text.blocks.first(where: { block in
      block.open > last.close && block.header.words.first == "else"
        && text.codeText(last.close + 1..<block.headerStart).trimmed.isEmpty
    }) {
      if two.contains(where: { $0.open == next.open }) { return true }
      last = next
    }
    return false
  }

  /// Returns the offset of the last opening parenthesis in a line, or the line's start.
  private static func callPlace(_ range: Range<Int>, _ text: SwiftText) -> Int {
    text.code[range].lastIndex(of: UInt8(ascii: "(")) ?? range.lowerBound
  }
}

/// A recursion that overflowed the stack.
struct Recursion {
  let evidence: [Finding.Evidence]
  /// The line of the recursive call.
  let call: CodePlace?
  let fix: String

  init?(_ crash: CrashReading) {
    let own = crash.frames.filter { $0.role == .code }
    let counts = Dictionary(grouping: own, by: \.place.function).mapValues(\.count)
    let repeated = counts.filter { $0.value >= 10 }.sorted {
      ($1.value, $0.key) < ($0.value, $1.key)
    }
    guard let most = repeated.first else { return nil }
    let isWhole = crash.crash.thread?.stack.end == .complete
    let names = repeated.prefix(4).map { "\($0.key) (\($0.value) times)" }.joined(separator: ", ")
    let of =
      isWhole
      ? "of the \(crash.frames.count) frames" : "of the innermost \(crash.frames.count) frames"
    // The innermost frame shows where the stack ended, which need not be the line that recurses.
    let calling = repeated.prefix(4).compactMap { function -> CodePlace? in
      let calls = Dictionary(
        grouping: own.dropFirst().map(\.place).filter { $0.function == function.key }, by: \.line)
      return calls.max { ($0.value.count, $1.key ?? 0) < ($1.value.count, $0.key ?? 0) }?.value
        .first
    }
    let call = calling.first { $0.function == most.key }.map { SourceLine.added(to: $0) }
    self.call = call
    var evidence = [Finding.Evidence("\(of), these repeat: \(names)")]
    let functions = Set(repeated.map(\.key))
    if let last = own.lastIndex(where: { functions.contains($0.place.function) }) {
      if last + 1 < own.count {
        evidence.append(
          Finding.Evidence("the first call", place: SourceLine.added(to: own[last + 1].place)))
      } else if !isWhole {
        evidence.append(
          Finding.Evidence(
            "the first call is not recorded: the record has only the innermost frames"))
      }
    }
    var writers: [Finding.Evidence] = []
    for writer in calling.flatMap({ Self.writers(of: $0) })
    where !writers.contains(where: { $0.text == writer.text && $0.place == writer.place }) {
      writers.append(writer)
    }
    self.evidence = evidence + writers.prefix(2)
    let position = writers.count == 1 ? writers[0].place?.shortPosition : nil
    fix =
      call.map { call in
        let name = FunctionName(call.name).last
        return position.map {
          "If the values form a cycle, reject the value that closes it at \($0), or stop \(name) at a value "
            + "that it has already seen."
        } ?? "Stop \(name) at a value that it has already seen, or at a maximum depth."
      } ?? ""
  }
}

extension Recursion {
  /// Returns the lines that change a member of the type which the recursive function reads.
  fileprivate static func writers(of call: CodePlace) -> [Finding.Evidence] {
    guard let path = call.file, let line = call.line, path.hasSuffix(".swift"),
      let text = SwiftFiles.shared.text(at: path), let byte = text.beginning(ofLine: line),
      let function = text.blocks(around: byte).first(where: { $0.kind == .function }),
      let type = text.blocks(around: function.open).first(where: { $0.kind == .type })
    else { return [] }
    let read = Set(text.codeText(function.open..<function.close).words.map(String.init))
    let inside = text.line(of: function.open)...text.line(of: function.close)
    func code(_ line: Int) -> String { text.codeText(text.range(ofLine: line)) }
    let lines = text.line(of: type.open)...text.line(of: type.close)
    let members = lines.compactMap { line -> String? in
      guard let start = text.beginning(ofLine: line),
        text.blocks(around: start).first?.open == type.open
      else { return nil }
      let words = code(line).words
      guard let at = words.firstIndex(where: { ["let", "var"].contains($0) }), at + 1 < words.count
      else { return nil }
      return read.contains(String(words[at + 1])) ? String(words[at + 1]) : nil
    }
    return members.flatMap { name in
      lines.filter { line in
        !inside.contains(line) && code(line).words.contains(name[...])
          && !zip(code(line).words, code(line).words.dropFirst()).contains {
            ["let", "var"].contains($0) && $1 == name[...]
          }
          && code(line).contains(/\]\s*=[^=]|\.(append|insert|updateValue)\(/)
      }.map { line in
        let byte = text.range(ofLine: line).lowerBound
        let writer = text.blocks(around: byte).first {
          $0.kind == .function || $0.kind == .accessor
        }
        return Finding.Evidence(
          "“\(name)”, which the function reads, is changed here",
          place: SourceLine.added(
            to: CodePlace(
              function: writer.map { SwiftBody.title(of: $0, text) } ?? "", module: call.module,
              file: path, line: line)))
      }
    }
  }
}

/// A death in the runtime's reference counting: the object was freed, or the reference was invalid.
struct FreedObject {
  /// The words that a checked build of the runtime writes into a freed object.
  private static let pattern = "0x08d0eef4ea1dadab"

  /// True for the pattern, also with an offset. A processor that ignores the highest byte reports the rest.
  private static func isPattern(_ address: UInt64) -> Bool {
    [0x08d0_eef4_ea1d_adab, 0x00d0_eef4_ea1d_adab].contains { (word: UInt64) in
      address &- (word & ~0xfff) < 0x2000
    }
  }

  let evidence: Finding.Evidence

  init?(_ crash: CrashReading) {
    let called = crash.frames.prefix { $0.role != .code }.map(\.place.function)
    let words = [
      "retain", "release", "RefCounts", "swift_weak", "swift_unowned", "swift_arrayDestroy",
      "swift_isUniquelyReferenced",
    ]
    guard
      let function = called.first(where: { name in
        (name.contains("swift") || name.hasPrefix("objc_")) && words.contains { name.contains($0) }
      })
    else { return nil }
    let short = function.prefix { $0 != "(" && $0 != "<" }
    if let address = crash.crash.address, Self.isPattern(address) {
      evidence = Finding.Evidence(
        "the process died in \(short), on a reference near \(Self.pattern), which a checked build of Swift's "
          + "runtime writes into freed objects: the object was already freed",
        place: crash.reading.touched?.place)
      return
    }
    evidence = Finding.Evidence(
      "the process died in \(short), on a reference: typical of an object that was already freed, by an "
        + "extra release or by two threads that changed one reference; the release is not recorded",
      place: crash.reading.touched?.place)
  }
}

import IncidentModel

/// A property of a class that one method uses under a lock and another method without it, found in
/// the source near a line that died of damaged memory.
struct UnguardedState {
  private(set) var evidence: [Finding.Evidence] = []
  private(set) var fix = ""

  private let text: SwiftText
  private let place: CodePlace
  private let type: SwiftText.Block
  private let sections: HeldSections

  /// - Returns: nil if the source is not available, or shows no such use.
  init?(near place: CodePlace) {
    guard let path = place.file, let line = place.line, let text = SwiftFiles.shared.text(at: path),
      let byte = text.beginning(ofLine: line), let sections = HeldSections(near: place),
      let type = text.blocks(around: byte).last(where: { $0.kind == .type }),
      type.header.words.contains("class"),
      let method = text.blocks(around: byte).last(where: { $0.kind == .function })
    else { return nil }
    (self.text, self.place, self.type, self.sections) = (text, place, type, sections)
    let stored = variables
    let used = stored.filter { uses($0, line) }
    let near = stored.filter { name in
      (text.line(of: method.open)...text.line(of: method.close)).contains { uses(name, $0) }
    }
    for property in used + near where isChanged(property) {
      if let found = unguarded(property) ?? unprotected(property) {
        (evidence, fix) = found
        return
      }
    }
    return nil
  }

  private typealias Told = (evidence: [Finding.Evidence], fix: String)

  /// Describes a use without the lock that guards other uses; nil if one lock guards all uses.
  private func unguarded(_ property: String) -> Told? {
    let lines = lines(of: property)
    var most: (uses: Int, section: HeldSections.Section, entry: Int)?
    for section in sections.all where lines.contains(where: section.lines.contains) {
      let own = sections.all.filter { $0.holds == section.holds }
      guard let entry = lines.lazy.compactMap({ entry(to: $0, without: own, depth: 0) }).first
      else { return nil }
      let uses = lines.count { line in own.contains { $0.lines.contains(line) } }
      if uses > most?.uses ?? 0 { most = (uses, section, entry) }
    }
    guard let (_, section, entry) = most else { return nil }
    let (lock, open) = (section.holds.words, described(at: entry))
    return (
      [
        Finding.Evidence("\(lock) guards “\(property)” here", place: section.place),
        Finding.Evidence(
          "“\(property)” is used without it here, so a race is probable", place: open),
      ],
      "Use “\(property)” under \(lock) also in \(open.function)"
        + (open.shortPosition.map { " (\($0))" } ?? "") + "."
    )
  }

  /// Describes a class that claims to be safe but has nothing that could guard the property.
  private func unprotected(_ property: String) -> Told? {
    let isClaimed = type.header.contains("@unchecked") && type.header.contains("Sendable")
    let guards = /Lock|Mutex|Queue|Atomic|Semaphore|EventLoop|Executor|LoopBound|pthread/
    guard isClaimed,
      !members.contains(where: { text.codeText(text.range(ofLine: $0)).contains(guards) }),
      let declared = members.first(where: { follows("var", property, code($0)) })
    else { return nil }
    let name = SwiftBody.typeName(type).map(String.init) ?? "the class"
    var place = described(at: declared)
    place.function = name
    return (
      [
        Finding.Evidence(
          "\(name) is @unchecked Sendable, and no lock or queue guards “\(property)”, so a race is probable",
          place: place)
      ],
      "Guard every use of “\(property)” with one lock or serial queue, or make \(name) an actor."
    )
  }

  /// Returns the line of the method that leads to a use of the property without any of these
  /// sections; nil if all known ways hold the lock.
  private func entry(to line: Int, without own: [HeldSections.Section], depth: Int) -> Int? {
    guard !own.contains(where: { $0.lines.contains(line) }),
      let method = method(around: line), !SwiftBody.name(of: method).isEmpty
    else { return nil }
    let name = SwiftBody.name(of: method)
    let callers = bodies.filter { calls(name, $0) }
    if callers.isEmpty { return isPrivate(method) ? nil : line }
    guard depth < 3 else { return nil }
    return callers.lazy.compactMap { entry(to: $0, without: own, depth: depth + 1) }.first
  }

  // MARK: The source

  /// The lines of the class itself, outside of its methods.
  private var members: [Int] {
    (text.line(of: type.open)...text.line(of: type.close)).filter { line in
      text.beginning(ofLine: line).map { text.blocks(around: $0).first?.open == type.open } ?? false
    }
  }

  /// The lines of the methods. An object that is being created or destroyed has one owner.
  private var bodies: [Int] {
    (text.line(of: type.open)...text.line(of: type.close)).filter { method(around: $0) != nil }
  }

  private var variables: [String] {
    members.compactMap { line in
      let words = text.codeText(text.range(ofLine: line)).words
      guard let word = words.firstIndex(of: "var"), word + 1 < words.count,
        !words.contains("static"), !text.codeText(text.range(ofLine: line)).contains("{")
      else { return nil }
      return String(words[word + 1])
    }
  }

  private func method(around line: Int) -> SwiftText.Block? {
    guard let byte = text.beginning(ofLine: line) else { return nil }
    let end = text.range(ofLine: line).upperBound
    return text.blocks.first { block in
      block.kind == .function && block.headerStart <= end && byte <= block.close
        && block.header.words.contains("func")
        && text.blocks(around: block.open).first?.open == type.open
    }
  }

  private func isPrivate(_ method: SwiftText.Block) -> Bool {
    method.header.words.contains("private") || method.header.words.contains("fileprivate")
  }

  private func lines(of property: String) -> [Int] {
    bodies.filter { uses(property, $0) && !hides(property, $0) }
  }

  /// True if the method around a line has a parameter or a local variable of this name.
  private func hides(_ name: String, _ line: Int) -> Bool {
    guard let method = method(around: line) else { return false }
    let code = text.codeText(method.headerStart..<method.close)
    return follows("let", name, code) || follows("var", name, code)
      || method.header.matches(of: /(\w+):/).contains { $0.1 == name[...] }
  }

  private func follows(_ first: Substring, _ second: String, _ code: String) -> Bool {
    zip(code.words, code.words.dropFirst()).contains { $0 == first && $1 == second[...] }
  }

  private func uses(_ name: String, _ line: Int) -> Bool {
    code(line).matches(of: /(?:^|[^.\w]|self\.)(\w+)(?!\w|\s*:)/).contains { $0.1 == name }
  }

  private func calls(_ name: String, _ line: Int) -> Bool {
    code(line).matches(of: /(?:^|[^.\w]|self\.)(\w+)\(/).contains { $0.1 == name }
      && !follows("func", name, code(line))
  }

  private func isChanged(_ name: String) -> Bool {
    let changes =
      /(?:^|[^.\w]|self\.)(\w+)(?:\[[^\]]*\])*[?!]?(?:\s*[-+*\/]?=(?!=)|\.(?:append|insert|remove\w*|popFirst|popLast|updateValue|merge|formUnion|sort|swapAt|reserveCapacity)\()/
    return bodies.contains { code($0).matches(of: changes).contains { $0.1 == name } }
  }

  private func code(_ line: Int) -> String { text.codeText(text.range(ofLine: line)) }

  private func described(at line: Int) -> CodePlace {
    SourceLine.added(
      to: CodePlace(
        function: method(around: line).map { SwiftBody.title(of: $0, text) } ?? "",
        module: place.module, file: place.file, line: line))
  }
}

import IncidentModel

/// A lock or serial queue, as declared in the source.
struct SourceGuard: Hashable {
  /// The type that declares the member; empty for a variable outside types.
  let type: String
  let name: String
  let isQueue: Bool
  /// The queue's label; nil if the declaration does not show the label.
  let label: String?
  /// True if only one instance exists: a static variable, or a variable outside types.
  let isOnly: Bool

  /// The name, for use within a sentence.
  var words: String {
    if isQueue, let label { return DisplayText.queue(label) }
    return "\(isQueue ? "queue" : "the lock") “\(name)”\(type.isEmpty ? "" : " of \(type)")"
  }
}

/// The sections of a Swift source file in which code holds a lock or a serial queue.
///
/// Locks of different objects of a type have the same name here: two threads that use the same
/// guard need not contend for the same lock.
struct HeldSections {
  struct Section {
    let holds: SourceGuard
    /// The line that takes the lock.
    let place: CodePlace
    let lines: ClosedRange<Int>
  }

  private let text: SwiftText
  private let path: String
  private let module: String
  let all: [Section]

  /// Finds the sections of the file; each file is parsed once.
  ///
  /// - Returns: nil if the source of the place is not available, or if its brackets do not match.
  init?(near place: CodePlace) {
    guard let path = place.file, path.hasSuffix(".swift"),
      let text = SwiftFiles.shared.text(at: path)
    else { return nil }
    self.text = text
    self.path = path
    module = place.module
    all = Reader(text, path, place.module).sections
  }

  /// Returns the section that begins at a line; nil unless exactly one does.
  func taken(at line: Int?) -> Section? {
    let found = all.filter { $0.place.line == line }
    return found.count == 1 ? found[0] : nil
  }

  /// Returns the sections that contain a line.
  func around(_ line: Int?) -> [Section] {
    guard let line else { return [] }
    return all.filter { $0.lines.contains(line) }
  }

  /// Returns the other sections of a guard that contain a loop or call, and so last longer than a
  /// read or write of a value.
  func long(_ holds: SourceGuard, besides line: Int?) -> [(section: Section, call: CodePlace)] {
    all.filter { $0.holds == holds && $0.place.line != line }.compactMap { section in
      call(in: section).map { (section, $0) }
    }
  }

  /// Returns the first line of a section, after the line that takes the lock, that calls a function
  /// of the program; nil if no line does.
  private func call(in section: Section) -> CodePlace? {
    for line in section.lines.dropFirst() {
      let code = text.codeText(text.range(ofLine: line))
      let calls = code.matches(of: /(\w+)\(/).map { String($0.1) }
      guard calls.contains(where: { !Self.short.contains($0) && $0.first?.isLowercase == true })
      else { continue }
      return SourceLine.added(
        to: CodePlace(
          function: section.place.function, module: module, file: path, line: line))
    }
    return nil
  }

  private static let short: Set<String> = [
    "lock", "unlock", "append", "insert", "remove", "removeAll", "removeValue", "removeFirst",
    "removeLast",
    "popLast", "popFirst", "contains", "min", "max", "updateValue", "reserveCapacity", "signal",
    "precondition", "assert", "if", "while", "for", "switch", "guard", "return", "resume",
  ]
}

extension HeldSections {
  /// Parses the sections of a file.
  private struct Reader {
    let text: SwiftText
    let path: String
    let module: String
    private(set) var sections: [Section] = []
    private var declared: [String: [(type: SwiftText.Block?, line: Int)]] = [:]
    /// The maximum number of sections per file: a log may name any file.
    private static let most = 256

    nonisolated(unsafe) private static let call =
      /([A-Za-z_][\w.?!]*)\.(sync|asyncAndWait|withLock|withLockUnchecked|lock)\b\s*([({])/
    nonisolated(unsafe) private static let posix = /pthread_mutex_lock\(&?([A-Za-z_][\w.]*)\)/

    init(_ text: SwiftText, _ path: String, _ module: String) {
      self.text = text
      self.path = path
      self.module = module
      guard text.lines.count > 0 else { return }
      for line in 1...text.lines.count where sections.count < Self.most {
        let range = text.range(ofLine: line)
        let code = text.codeText(range)
        guard code.contains("ock") || code.contains("ync") else { continue }
        for found in code.matches(of: Self.call) {
          let at =
            range.lowerBound + code.utf8.distance(from: code.startIndex, to: found.range.lowerBound)
          add(String(found.1), String(found.2), at: at, line)
        }
        for found in code.matches(of: Self.posix) {
          add(String(found.1), "lock", at: range.lowerBound, line)
        }
      }
    }

    private mutating func add(_ receiver: String, _ method: String, at place: Int, _ line: Int) {
      let isQueue = method == "sync" || method == "asyncAndWait"
      let name = String(
        receiver.filter { $0 != "?" && $0 != "!" }.split(separator: ".").last ?? "")
      guard let holds = holder(of: name, at: place, isQueue: isQueue),
        let last = method == "lock" ? unlock(name, after: place) : end(ofClosureAfter: place, line)
      else { return }
      let function = text.blocks(around: place).first {
        $0.kind == .function || $0.kind == .accessor
      }
      let taken = SourceLine.added(
        to: CodePlace(
          function: function.map { SwiftBody.title(of: $0, text) } ?? "", module: module,
          file: path,
          line: line))
      sections.append(Section(holds: holds, place: taken, lines: line...max(line, last)))
    }

    /// Returns the last line of the closure argument of a call; without one, the call's own line.
    private func end(ofClosureAfter place: Int, _ line: Int) -> Int {
      let closure = text.blocks.first {
        $0.kind == .closure && $0.open > place && $0.headerStart <= place
          && text.line(of: $0.open) <= line + 2
      }
      return closure.map { text.line(of: $0.close) } ?? line
    }

    /// Returns the last line on which a lock is held: the line of its first unlock that is not in a
    /// branch which leaves, or the end of the block whose `defer` unlocks it.
    private func unlock(_ name: String, after place: Int) -> Int? {
      guard let block = text.blocks(around: place).first(where: { $0.kind != .type }) else {
        return nil
      }
      let code = text.codeText(place..<block.close)
      let calls =
        code.ranges(of: "\(name).unlock()") + code.ranges(of: "pthread_mutex_unlock(&\(name))")
      for call in calls.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        let at = place + code.utf8.distance(from: code.startIndex, to: call.lowerBound)
        guard let inner = text.blocks(around: at).first, inner.header.words.first != "defer" else {
          break
        }
        let rest = text.codeText(at..<inner.close).words
        let leaves = rest.contains { ["return", "throw", "break", "continue"].contains($0) }
        if inner.open == block.open || !leaves { return text.line(of: at) }
      }
      return text.line(of: block.close)
    }

    /// Returns the guard with a name: a member of the enclosing type, else of the only type in the
    /// file that declares the name.
    private mutating func holder(of name: String, at place: Int, isQueue: Bool) -> SourceGuard? {
      let around = text.blocks(around: place)
      let own = around.filter { $0.kind == .type }
      let known = self.declared[name]
      let declared = known ?? declarations(of: name)
      self.declared[name] = declared
      func named(_ found: (type: SwiftText.Block?, line: Int)) -> SourceGuard {
        SourceGuard(
          type: found.type.flatMap(Self.name) ?? "", name: name, isQueue: isQueue,
          label: isQueue ? label(at: found.line) : nil,
          isOnly: found.type == nil
            || text.codeText(text.range(ofLine: found.line)).words.contains("static"))
      }
      if let member = declared.first(where: { one in
        one.type.map { type in own.contains { Self.name($0) == Self.name(type) } } ?? false
      }) {
        return named(member)
      }
      if declared.count == 1 { return named(declared[0]) }
      // The extension's type is declared in another file.
      guard declared.isEmpty, let type = own.first.flatMap(Self.name) else { return nil }
      return SourceGuard(type: type, name: name, isQueue: isQueue, label: nil, isOnly: false)
    }

    /// Returns the lines that declare a name outside functions, each with its enclosing type.
    private func declarations(of name: String) -> [(type: SwiftText.Block?, line: Int)] {
      (1...text.lines.count).compactMap { line in
        guard let start = text.beginning(ofLine: line) else { return nil }
        let words = text.codeText(text.range(ofLine: line)).words
        let isDeclared = zip(words, words.dropFirst()).contains {
          ($0 == "let" || $0 == "var") && $1 == name[...]
        }
        guard isDeclared else { return nil }
        let around = text.blocks(around: start).first
        guard around == nil || around?.kind == .type else { return nil }
        return (around, line)
      }
    }

    /// Returns the label in a queue's declaration; nil if it is computed.
    private func label(at line: Int) -> String? {
      for near in line...min(line + 2, text.lines.count) {
        let isNext = text.codeText(text.range(ofLine: near)).contains(
          /\b(let|var|func|init|case)\b/)
        if near > line, isNext { return nil }
        if let found = text.lines[near - 1].firstMatch(of: /label: "([^"\\]+)"/) {
          return String(found.1)
        }
      }
      return nil
    }

    private static func name(_ type: SwiftText.Block) -> String? {
      SwiftHeader.declaration(type.header).dropFirst().first.map {
        String($0.prefix { $0 != ":" && $0 != "<" })
      }
    }
  }
}

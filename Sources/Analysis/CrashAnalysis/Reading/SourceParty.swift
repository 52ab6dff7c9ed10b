import IncidentModel

/// Finds the second code location of a death in the source around the crashed line: a change
/// between a check of a value and its use, the origin of a value, or an object without an owner.
struct SourceParty {
  private(set) var evidence: [Finding.Evidence] = []
  /// The advice that replaces the advice for the kind of death; nil to keep it.
  private(set) var fix: String?

  private let place: CodePlace
  private let text: SwiftText
  private let path: String
  private let line: Int
  /// The line that set the unwrapped value to nil.
  private var emptied: CodePlace?
  /// The function, accessor or closure that contains the line.
  private let block: SwiftText.Block

  /// Searches the source around a crashed line.
  ///
  /// - Parameter links: The program's own functions on the stack, innermost first.
  /// - Returns: nil if the source is not available or contains no second location.
  init?(_ death: Death, at place: CodePlace, through links: [StackReading.Link]) {
    guard let path = place.file, path.hasSuffix(".swift"), let line = place.line,
      let text = SwiftFiles.shared.text(at: path), let byte = text.beginning(ofLine: line),
      let block = text.blocks(around: byte).first(where: { $0.kind != .control && $0.kind != .type }
      )
    else { return nil }
    (self.place, self.path, self.line, self.text, self.block) = (place, path, line, text, block)
    if Lifetime.isOf(death, code) {
      tellLifetime()
    } else if Self.mayBeStale.contains(death.kind), !death.isOfMemory {
      if !tellAwait() { tellTwoLocks() }
      if fix == nil { tellOrigin(death) }
      if fix == nil, death.kind == .fatalError { tellOpenFiles(death) }
      tellPlan(links)
    } else if death.kind == .deadReference {
      tellUnowned()
      tellPlan(links)
    } else if death.isOfMemory, let state = UnguardedState(near: place) {
      evidence = state.evidence
      fix = state.fix
    }
    if evidence.isEmpty, fix == nil { return nil }
  }

  /// The deaths that a value may cause which changed after it was checked.
  static let mayBeStale: Set<Death.Kind> = [
    .unwrappedNil, .outOfBounds, .precondition, .assertion, .fatalError, .overflow, .divisionByZero,
    .lostValue, .failedCast,
  ]

  private var code: String { text.codeText(text.range(ofLine: line)) }
  private var firstLine: Int { text.line(of: block.open) }

  private func place(at line: Int) -> CodePlace {
    SourceLine.added(
      to: CodePlace(function: place.function, module: place.module, file: path, line: line))
  }

  private func isOwn(_ line: Int) -> Bool {
    guard let byte = text.beginning(ofLine: line) else { return false }
    let around = text.blocks(around: byte).first { $0.kind != .control }
    return around?.open == block.open || line == firstLine
  }

  // MARK: Objects without an owner

  private mutating func tellLifetime() {
    let isTaken = code.contains("takeRetainedValue()")
    let pass = isTaken ? "passRetained(" : "passUnretained("
    let passed = (1...text.lines.count).filter {
      text.codeText(text.range(ofLine: $0)).contains(pass)
    }
    let function = text.blocks(around: block.open + 1).last { $0.kind == .function }
    let near = passed.filter { line in
      function.map { (text.line(of: $0.open)...text.line(of: $0.close)).contains(line) } ?? false
    }
    let at = (near.isEmpty ? passed : near)
    let handed = at.count == 1 ? place(at: at[0]) : nil
    if isTaken {
      evidence = [
        Finding.Evidence(
          "“takeRetainedValue” consumes the only retain of passRetained: a second call of this line finds the object freed",
          place: handed)
      ]
      fix =
        "Call takeRetainedValue() once, in the last callback, and takeUnretainedValue() in earlier ones."
      return
    }
    evidence = [
      Finding.Evidence(
        "“takeUnretainedValue” uses an object that the pointer does not retain: the object was freed if no other reference kept it"
          + (handed == nil ? "" : "; the pointer was passed without a retain here"), place: handed)
    ]
    let position = handed?.shortPosition.map { " at \($0)" } ?? " for this pointer"
    fix =
      "Let the pointer own the object: use passRetained\(position), and takeRetainedValue() here if the "
      + "callback runs exactly once; otherwise keep the object alive until the last callback."
  }

  private func declares(_ line: Int, _ name: Substring) -> Bool {
    let words = text.codeText(text.range(ofLine: line)).words
    return zip(words, words.dropFirst()).contains { ["let", "var"].contains($0) && $1 == name }
  }

  /// True if the function itself awaits in a line, outside nested closures.
  private func awaits(_ line: Int) -> Bool {
    let range = text.range(ofLine: line)
    let code = text.codeText(range)
    return code.ranges(of: "await ").contains { found in
      let at = range.lowerBound + code.utf8.distance(from: code.startIndex, to: found.lowerBound)
      return text.blocks(around: at).first { $0.kind != .control }?.open == block.open
    }
  }

  // MARK: Checks before an await

  private var type: SwiftText.Block? { text.blocks(around: block.open).first { $0.kind == .type } }

  private var typeWords: [Substring] { type.map { $0.header.words } ?? [] }

  /// The variables of the enclosing type that the line mentions.
  private var members: [String] {
    guard let type else { return [] }
    let named = Set(code.words.map(String.init))
    return SourceState.variables(of: type, in: text).filter(named.contains)
  }

  /// Adds evidence if the line uses a member that an earlier line checked before an await. Returns
  /// true if it did.
  private mutating func tellAwait() -> Bool {
    let isActor = typeWords.contains("actor") || typeWords.contains("MainActor")
    guard isActor || typeWords.contains("class"), firstLine < line else { return false }
    var best: (name: String, look: Int, awaited: Int, isSure: Bool)?
    for name in members where best?.isSure != true {
      let own = (firstLine..<line).filter(isOwn)
      func names(_ line: Int) -> Bool {
        text.codeText(text.range(ofLine: line)).words.contains(name[...])
      }
      // A local variable of the same name is not shared.
      if own.contains(where: { declares($0, name[...]) }) || block.header.words.contains(name[...])
      {
        continue
      }
      let pauses = own.filter { awaits($0) && !names($0) }
      guard let awaited = pauses.last else { continue }
      let looks = own.filter { $0 < awaited && names($0) }
      guard
        let look = looks.last(where: { isCheck($0) && leads($0, to: awaited) }) ?? looks.last
      else { continue }
      let isSure = isCheck(look) && leads(look, to: awaited) && isChanged(name[...])
      if best == nil || isSure { best = (name, look, awaited, isSure) }
    }
    guard let (name, look, awaited, isSure) = best else { return false }
    let owner =
      type.flatMap { SwiftHeader.declaration($0.header).dropFirst().first }.map {
        $0.prefix { $0 != ":" && $0 != "<" }
      } ?? "the actor"
    let who = isActor ? "another call of \(owner)" : "other code"
    evidence = [
      Finding.Evidence(
        "line \(look) reads “\(name)”, and line \(awaited) suspends before line \(line) uses it: \(who) may "
          + "change “\(name)” meanwhile",
        place: place(at: awaited))
    ]
    guard isSure else { return true }
    fix =
      "Change “\(name)” before the await at \(place(at: awaited).shortPosition ?? "line \(awaited)"), and undo the change if the call fails; or check “\(name)” again after the await."
    return true
  }

  /// True if no branch around the first line ends before the second.
  private func leads(_ line: Int, to other: Int) -> Bool {
    let (one, two) = (text.range(ofLine: line).lowerBound, text.range(ofLine: other).lowerBound)
    return text.blocks(around: one).prefix { $0.kind == .control }.allSatisfy { two <= $0.close }
  }

  /// True if a line of the type changes a member.
  private func isChanged(_ name: Substring) -> Bool {
    guard let type else { return false }
    return (text.line(of: type.open)...text.line(of: type.close)).contains { line in
      !declares(line, name)
        && text.codeText(text.range(ofLine: line)).matches(of: Self.change).contains {
          $0.1 == name
        }
    }
  }

  nonisolated(unsafe) private static let change =
    /(?:^|[^.\w]|self\??\.)([A-Za-z_]\w*)(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\??(?:(?:\.\w+)*\s*[-+*\/%]?=(?!=)|\.(?:append|insert|remove\w*|pop\w*|updateValue|merge|form\w+|subtract|toggle|swapAt|sort|reverse|shuffle)\b)/

  // MARK: Separate critical sections of one lock

  private mutating func tellTwoLocks() {
    guard let sections = HeldSections(near: place), firstLine < line,
      let function = text.blocks(around: block.open + 1).first(where: { $0.kind == .function })
    else { return }
    var seen: Set<SourceGuard> = []
    for holds in sections.all.map(\.holds) where seen.insert(holds).inserted {
      let own = sections.all.filter { $0.holds == holds }
      let takers = Set(own.map(\.place.function).filter { !$0.isEmpty })
      func takes(_ line: Int) -> Bool {
        if own.contains(where: { $0.place.line == line }) { return true }
        let code = text.codeText(text.range(ofLine: line))
        return code.matches(of: /(?:^|[^.\w]|self\.)(\w+)\(/).contains { call in
          takers.contains { $0.hasSuffix(".\(call.1)") }
            && String(call.1) != SwiftBody.name(of: function)
        }
      }
      let isInside = own.contains { $0.lines.contains(line) && $0.place.line != line }
      guard !isInside, takes(line),
        let look = (firstLine..<line).last(where: { isOwn($0) && takes($0) && isCheck($0) })
      else { continue }
      let what = holds.words
      evidence = [
        Finding.Evidence(
          "lines \(look) and \(line) take \(what) separately: another thread may change the protected value in between",
          place: place(at: look))
      ]
      if let taker = own.first(where: { section in
        section.place.function != SwiftBody.title(of: function, text) && takesAway(section)
      }) {
        evidence.append(Finding.Evidence("this line removes an entry", place: taker.place))
        fix =
          "Check and use the value in one locked section: do the work of lines \(look) to \(line) in one section of \(what)."
      }
      return
    }
  }

  /// True if a line makes a decision.
  private func isCheck(_ line: Int) -> Bool {
    let words = text.codeText(text.range(ofLine: line)).words
    return ["if", "guard", "while", "contains", "switch"].contains { words.contains($0) }
  }

  private func takesAway(_ section: HeldSections.Section) -> Bool {
    section.lines.contains { line in
      text.codeText(text.range(ofLine: line)).contains(/remove|popLast|popFirst|[^=!]= nil/)
    }
  }

  // MARK: Origins of values

  /// Returns the variable that caused the death; nil if ambiguous.
  private func culprit(_ death: Death) -> Substring? {
    let found: [Substring] =
      switch death.kind {
      case .unwrappedNil: code.matches(of: /([A-Za-z_]\w*)(?:\[[^\[\]]*\])?!(?![=\w])/).map { $0.1 }
      case .outOfBounds: code.matches(of: /([A-Za-z_]\w*)\[[^\[\]]+\]/).map { $0.1 }
      case .divisionByZero: code.matches(of: /[\/%]=?\s*([A-Za-z_]\w*)/).map { $0.1 }
      case .lostValue: code.matches(of: /\bU?Int(?:8|16|32|64)?\(([A-Za-z_]\w*)\)/).map { $0.1 }
      default: []
      }
    return found.count == 1 ? found[0] : nil
  }

  private mutating func tellOrigin(_ death: Death) {
    guard let name = culprit(death), firstLine < line || type != nil else { return }
    if let local = (firstLine..<max(line, firstLine)).last(where: {
      isOwn($0) && declares($0, name)
    }) {
      evidence.append(Finding.Evidence("“\(name)” gets its value here", place: place(at: local)))
      return
    }
    guard members.contains(String(name)), let type else { return }
    let clears = (text.line(of: type.open)...text.line(of: type.close)).filter { line in
      line != self.line && !declares(line, name)
        && text.codeText(text.range(ofLine: line)).matches(
          of:
            /(?:^|[^.\w]|self\??\.)([A-Za-z_]\w*)(?: = (?:nil\b|\[:?\])|\.(?:remove|pop)\w*\()/
        ).contains { $0.1 == name }
    }
    let cleared = clears.prefix(2).map { line in
      let byte = text.range(ofLine: line).lowerBound
      let function = text.blocks(around: byte).first {
        $0.kind == .function || $0.kind == .accessor
      }
      var place = place(at: line)
      place.function = function.map { SwiftBody.title(of: $0, text) } ?? ""
      place.written = nil
      let isPart = text.codeText(text.range(ofLine: line)).contains(
        /\.(?:remove(?!All)\w*|pop\w*)\(/)
      let what = isPart ? "an element of “\(name)” is removed here" : "“\(name)” is cleared here"
      return Finding.Evidence(what, place: place)
    }
    evidence += cleared
    emptied = cleared.first?.place
    if death.kind == .outOfBounds, let removal = emptied?.shortPosition,
      let index = givenIndex(of: name)
    {
      fix =
        "`\(index)` was found before an element of `\(name)` was removed (\(removal)): find the element again right before this line. "
        + "A check of the bounds alone may take another element."
    }
    // If the line mutates the value, optional binding would mutate a copy.
    if death.kind == .unwrappedNil, code.contains("\(name)!.") {
      fix =
        "`\(name)` was nil: return before this line if it is nil, or use \(name)?. and skip the rest."
    }
  }

  /// The index with which the line reads a collection, if it is a parameter of the function.
  private func givenIndex(of name: Substring) -> String? {
    let subscripts = code.matches(of: /([A-Za-z_]\w*)\[(\w+)\]/).filter { $0.1 == name }
    guard let index = subscripts.first?.2 else { return nil }
    let isGiven = block.header.matches(of: /(\w+):/).contains { $0.1 == index }
    return isGiven ? String(index) : nil
  }

  /// Adds evidence if a closure on the stack was scheduled in advance, so that the state may have
  /// changed since.
  private mutating func tellPlan(_ links: [StackReading.Link]) {
    let planned = links.prefix(4).lazy.map(\.frame.place).compactMap { link -> CodePlace? in
      guard let file = link.file, let line = link.line, file.hasSuffix(".swift"),
        let text = SwiftFiles.shared.text(at: file), let byte = text.beginning(ofLine: line),
        let closure = text.blocks(around: byte).first(where: {
          $0.kind == .closure && $0.header.words.contains("asyncAfter")
        })
      else { return nil }
      return SourceLine.added(
        to: CodePlace(
          function: link.function, module: link.module, file: file,
          line: text.line(of: closure.headerStart)))
    }.first
    guard let planned else { return }
    evidence.append(
      Finding.Evidence("the work was scheduled here with asyncAfter", place: planned))
    if let emptied, let plan = planned.shortPosition, let cleared = emptied.shortPosition {
      fix =
        "Cancel the work that \(plan) scheduled when \(cleared) clears the value: schedule a DispatchWorkItem, "
        + "and keep it. Or return before this line if the value is nil."
    }
  }

  // MARK: Descriptors

  /// Adds evidence if a `return` or `throw` leaves a descriptor open that the function has opened.
  private mutating func tellOpenFiles(_ death: Death) {
    guard death.message.contains("Too many open files"),
      let function = text.blocks(around: block.open + 1).first(where: { $0.kind == .function })
    else { return }
    let lines = text.line(of: function.open)...text.line(of: function.close)
    func code(_ line: Int) -> String { text.codeText(text.range(ofLine: line)) }
    for line in lines {
      guard
        let found = code(line).firstMatch(
          of:
            /(?:let|var) (\w+)(?:: \w+)? = (?:\w+\.)?(open|socket|accept|fopen|dup|epoll_create1|eventfd)\(/
        )
      else { continue }
      let name = String(found.1)
      let later = lines.filter { $0 > line }
      let closes = later.filter {
        code($0).contains(/close\(/) && code($0).words.contains(name[...])
      }
      if closes.contains(where: { code($0).words.contains("defer") }) { continue }
      // The owner to which the function hands the descriptor on closes the descriptor.
      let isHandedOn = later.contains { line in
        code(line).firstMatch(of: Self.handedOn).map { $0.1 == name[...] } ?? false
      }
      if isHandedOn { continue }
      let leaks = later.filter { line in
        guard line < closes.first ?? .max, line != self.line,
          let out = code(line).firstRange(of: /\b(return|throw)\b/)
        else { return false }
        // An exit that handles a failed open leaks no descriptor.
        let before = code(line)[..<out.lowerBound].utf8.count
        let around = text.blocks(around: text.range(ofLine: line).lowerBound + before)
        return !around.prefix { $0.kind == .control }.contains { block in
          block.header.words.first == "guard" && block.header.words.contains(name[...])
            || ["< 0", "== -1", "== nil"].contains { block.header == "if \(name) \($0)" }
        }
      }
      guard let leak = leaks.first else { continue }
      evidence = [Finding.Evidence("this exit path leaves “\(name)” open", place: place(at: leak))]
      fix =
        "Close “\(name)” on every path: add defer { close(\(name)) } after the check that “\(name)” was opened."
      return
    }
  }

  /// Matches a value that is stored or returned, directly or within an object.
  nonisolated(unsafe) private static let handedOn =
    /(?:[^=!<>]=|\breturn)\s+(?:\.\w+\(|[A-Z]\w*\((?:\w+: )?)?([A-Za-z_]\w*)(?=\s*(?:$|[,)};]))/

  private mutating func tellUnowned() {
    let named = Set(text.read(text.range(ofLine: line)).words.map(String.init))
    let declared = (1...text.lines.count).filter { line in
      let words = text.codeText(text.range(ofLine: line)).words
      guard words.contains("unowned"),
        let at = words.firstIndex(where: { ["let", "var"].contains($0) }),
        at + 1 < words.count
      else { return false }
      return named.contains(String(words[at + 1]))
    }
    guard declared.count == 1 else { return }
    var place = place(at: declared[0])
    let type = text.blocks(around: text.range(ofLine: declared[0]).lowerBound).first {
      $0.kind == .type
    }
    place.function =
      type.flatMap {
        SwiftHeader.declaration($0.header).dropFirst().first.map { String($0.prefix { $0 != ":" }) }
      } ?? ""
    evidence = [Finding.Evidence("the reference is declared unowned here", place: place)]
  }
}

/// Deaths from a raw pointer to a freed object.
enum Lifetime {
  /// True if the death is due to an object that a raw pointer did not retain.
  ///
  /// - Parameter code: The crashed line.
  static func isOf(_ death: Death, _ code: String) -> Bool {
    let isTaken = code.contains("takeUnretainedValue()") || code.contains("takeRetainedValue()")
    return isTaken && (death.isOfMemory || !death.isSaid && death.kind != .sent)
  }

  static func isOf(_ death: Death, at place: CodePlace?) -> Bool {
    guard let place, let source = SourceLine.added(to: place).source else { return false }
    return isOf(death, source)
  }
}

import IncidentModel

/// Moves code to the queue or actor that its check names.
struct HomeFix {
  private let home: Home
  private let reading: StackReading
  private let api: String

  init(_ home: Home, _ reading: StackReading, api: String = "") {
    self.home = home
    self.reading = reading
    self.api = api
  }

  var fix: Finding.Fix {
    if let standstill, !isServedByLoop {
      let name = caller.map { "the call in \(DisplayText.name($0))" } ?? "the call"
      return standstill.fix(sending: name, to: home.words)
    }
    let edits = edits ?? []
    return Finding.Fix(text(isEdit: !edits.isEmpty), edits: edits)
  }

  private var isServedByLoop: Bool {
    switch home {
    case .thread, .owner: true
    default: false
    }
  }

  private var callerPlace: Int? {
    guard let touched = reading.links.first?.frame else { return nil }
    return reading.links.indices.dropFirst().first { place in
      let traits = reading.links[place].frame.traits
      return traits.isClosure || traits.owner != touched.traits.owner
    }
  }

  private var caller: CodePlace? { callerPlace.map { reading.links[$0].frame.place } }

  /// The frames below the caller: the work that the caller's call led to.
  private var called: [StackReading.Link] { callerPlace.map { Array(reading.links[..<$0]) } ?? [] }

  /// The source statement of the call; nil if the source is not available.
  private var call: (body: SwiftBody, statement: Range<Int>)? {
    guard let caller, let line = caller.line, let body = SwiftBody(caller),
      let statement = body.statement(onLine: line)
    else { return nil }
    return (body, statement)
  }

  private var standstill: Standstill? {
    call.flatMap { Standstill(in: $0.body, $0.statement, calling: called) }
  }

  /// True if the caller needs the effect of the call in order to continue; nil if the source of
  /// caller or callee is not available.
  private var isNeeded: Bool? {
    guard let callee = called.last.flatMap({ SwiftBody($0.frame.place) }), let call else {
      return nil
    }
    if callee.answersItsCaller { return true }
    guard let root = call.body.receiver(of: call.statement).split(separator: ".").last else {
      return nil
    }
    if call.body.names([root], after: call.statement) { return true }
    // Callers of the caller may need the effect too.
    let outer =
      call.body.block.kind == .closure
      ? [] : reading.links.drop { $0.frame.place != caller }.dropFirst()
    return outer.contains { link in
      guard let body = SwiftBody(link.frame.place), let line = link.frame.place.line,
        let statement = body.statement(onLine: line)
      else { return false }
      return body.names([root], after: statement)
    }
  }

  private func text(isEdit: Bool) -> String {
    let place = caller.map { " in \(DisplayText.name($0))" } ?? ""
    let isNeeded = isNeeded
    switch home {
    case .main, .mainActor, .queue:
      return isNeeded == true
        ? "Make the call\(place) with sync of \(queue), or of its affinity: later code needs the result."
        : "Send the call\(place) to \(queue): use async of that queue, or of its affinity."
    case .actor, .executor:
      if !isEdit, let touched = reading.touched?.place, SwiftBody(touched)?.isNonisolated == true {
        return
          "\(DisplayText.capitalized(DisplayText.name(touched))) is nonisolated, so await does not switch to \(home == .executor ? "its actor" : home.words): remove nonisolated, and await the call\(place)."
      }
      return home == .executor
        ? "Make the call\(place) from a method of the actor, or with await."
        : "Send the call\(place) to \(home.words): await a method of the actor"
          + (isNeeded == true ? "." : ", or use async of its affinity.")
    case .thread:
      return
        "Hand the call\(place) over to \(home.words) through that thread's own loop: an affinity cannot send "
        + "work to a thread. If another thread takes over permanently, first release() the affinity's binding."
    case .eventLoop:
      return switch isNeeded {
      case true?:
        "Send the call\(place) to \(home.words) with submit, and continue in the returned future: later code "
          + "needs the result."
      case false?: "Send the call\(place) to \(home.words): eventLoop.execute."
      case nil:
        "Send the call\(place) to \(home.words): eventLoop.execute, or submit if later code needs the result."
      }
    case .context:
      return
        "Do the work\(place) in perform or performAndWait of that context, or with a context of this queue: "
        + "newBackgroundContext() makes one."
    case .owner:
      let way = ToolkitHopAdvice.text(api).map { " \($0)" } ?? ""
      return "Make the call\(place) on \(home.words).\(way)"
    }
  }

  private var queue: String { home == .queue("") ? "the queue that the check expects" : home.words }

  private var edits: [Finding.Fix.Edit]? {
    switch home {
    case .thread, .eventLoop, .owner, .context, .executor: return nil
    case .main, .mainActor, .queue, .actor: break
    }
    guard let touched = reading.links.first?.frame.place, let caller, let (body, statement) = call,
      isNeeded == false,
      SourceLine.added(to: caller).source?.contains(
        FunctionName(touched.function).last.prefix { $0 != "(" && $0 != "<" }) == true,
      let call = call(touched, from: body, statement)
    else { return nil }
    return body.statements(like: statement, in: call, isEscaping: true)
  }

  /// Returns an expression such as `repository.home.async`, valid in the caller; nil if the caller
  /// may have no access.
  private func call(_ touched: CodePlace, from body: SwiftBody, _ statement: Range<Int>) -> String?
  {
    guard let callee = SwiftBody(touched), let line = touched.line,
      let place = callee.text.beginning(ofLine: line),
      let name = Self.checked(callee.text.codeText(callee.text.range(ofLine: line)))
    else { return nil }
    let declared = Self.declaration(of: name, in: callee.text)
    guard let declared, place > 0 else { return nil }
    let isPrivate = declared.header.words.contains { $0 == "private" || $0 == "fileprivate" }
    let isSameFile = callee.path == body.path
    guard let type = declared.type else {
      return isPrivate && !isSameFile ? nil : name + ".async"
    }
    let function = SwiftBody.name(of: callee.block)
    let code = body.text.codeText(statement)
    if code.hasPrefix(function + "("), body.type?.open == type, isSameFile {
      return name + ".async"
    }
    let receiver = body.receiver(of: statement)
    guard !isPrivate, !receiver.isEmpty, receiver != "self", callee.type?.open == type,
      code.filter({ $0 != "?" && $0 != "!" }).hasPrefix("\(receiver).\(function)(")
    else { return nil }
    let isOptional = code.hasPrefix(receiver + "?")
    return receiver + (isOptional ? "?." : ".") + name + ".async"
  }

  /// The affinity that a line checks: `home` in `home.expect("…")`, `queue` in `.onQueue(queue)`.
  private static func checked(_ line: String) -> String? {
    for check in [".expect(", ".require("] {
      guard let found = line.firstRange(of: check) else { continue }
      return line[..<found.lowerBound].words.last.map(String.init)
    }
    guard let found = line.firstRange(of: ".onQueue(") else { return nil }
    let name = line[found.upperBound...].prefix { $0 != ")" }
    let path = name.hasPrefix("self.") ? name.dropFirst(5) : name
    return path.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(path) : nil
  }

  /// Returns the line that declares `name` as a property or global, and the offset of the type; nil
  /// unless there is exactly one such line.
  private static func declaration(
    of name: String, in text: SwiftText
  ) -> (header: String, type: Int?)? {
    var found: [(String, Int?)] = []
    for line in 1...text.lines.count {
      let code = text.codeText(text.range(ofLine: line))
      let words = code.words
      guard let place = text.beginning(ofLine: line),
        zip(words, words.dropFirst()).contains(where: {
          ($0 == "let" || $0 == "var") && $1 == name[...]
        })
      else { continue }
      let around = text.blocks(around: place).first
      // A local variable is not visible to other code.
      guard around == nil || around?.kind == .type else { continue }
      found.append((code, around?.open))
    }
    return found.count == 1 ? found[0] : nil
  }
}

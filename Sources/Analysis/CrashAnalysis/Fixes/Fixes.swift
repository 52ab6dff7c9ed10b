import IncidentModel

/// Proposes a fix: a source edit if the source is available and the edit is unambiguous, otherwise
/// a sentence.
enum Fixes {
  /// Moves work to the queue or actor of its affinity.
  static func hop(_ work: MisplacedWork) -> Finding.Fix {
    if work.isWatched { return delivering(work) }
    if let witness = work.witness { return witness.fix(work.home) }
    if work.reading.lateCommit != nil { return LateCommitStory.fix() }
    guard work.home == .main else { return HomeFix(work.home, work.reading, api: work.api).fix }
    if let way = ToolkitHopAdvice.text(work.api) { return byToolkit(way, work.culprit) }
    if let link = work.reading.handover, !link.isThreadTarget { return hop(link, work.reading) }
    // A thread's target is a loop of its own: only its call belongs on the main thread.
    if let link = work.reading.handover, let call = work.reading.touched, link.isThreadTarget {
      return hop(work.reading, culprit: call.place)
    }
    return hop(work.reading, culprit: work.culprit)
  }

  private static func byToolkit(_ way: String, _ culprit: CodePlace?) -> Finding.Fix {
    let place = culprit.map { " in \(DisplayText.name($0))" } ?? ""
    return Finding.Fix("Make the call\(place) on the main thread. \(way)")
  }

  /// Returns the fix for UI work that broke its affinity in the background. A hop alone does not
  /// suffice: in the background, UI work is invisible on the right queue too.
  static func hopInBackground(_ work: MisplacedWork) -> Finding.Fix {
    let hop = hop(work)
    return Finding.Fix(hop.text + " " + keepForLater, edits: hop.edits)
  }

  static let keepForLater =
    "In the background, do no UI work even on the main queue: keep the result, and show it at the next "
    + "foreground transition."

  /// Moves the code that a failed check stopped to the queue or thread that the check expected.
  static func hop(
    _ crash: CrashReading, culprit: CodePlace?, _ check: FailedCheck
  ) -> Finding.Fix {
    guard check.home.isOfMain else {
      var fix = HomeFix(check.home, crash.reading).fix
      if let link = crash.handover { fix = toOwner(link, crash.reading, check.home) }
      if let advice = advice(crash.reading.handover, crash.reading) { fix.text += " \(advice)" }
      if !crash.isCheckOwn { return fix }
      fix.text += " Keep the check: it caught a real bug."
      return fix
    }
    let link = crash.handover
    var fix =
      link.map { hop($0, crash.reading) }
      ?? hop(crash.reading, culprit: culprit, isAtEntry: isAtEntry(crash))
    if !crash.isCheckOwn { return fix }
    let checked = link.flatMap { link in
      crash.reading.touched.flatMap { $0 == link.frame ? nil : DisplayText.name($0.place) }
    }
    fix.text += " Keep the check\(checked.map { " in \($0)" } ?? ""): it caught a real bug."
    return fix
  }

  /// Hands work over to the thread that owns the object, at the function that other code called.
  private static func toOwner(
    _ link: StackReading.Link, _ reading: StackReading, _ home: Home
  ) -> Finding.Fix {
    let name = DisplayText.name(link.frame.place)
    let way = reading.toolkitHop.map { ": \($0)" } ?? ""
    let place = home == .queue("") ? "the queue that the check expects" : home.words
    return Finding.Fix(
      "Hand the work over to \(place) at the entry of \(name), before anything else\(way).")
  }

  /// Hops in the function that other code called, and adds the framework's own alternative.
  private static func hop(_ link: StackReading.Link, _ reading: StackReading) -> Finding.Fix {
    let place = link.frame.place
    let name = DisplayText.name(place)
    if let standstill = standstill(place, reading) {
      return hop(place, reading, besides: standstill)
    }
    let entry = FunctionName(place.function).isClosure ? "in \(name)" : "at the entry of \(name)"
    let way = MainHopCall.text(place, toolkit: reading.toolkitHop).map { ": \($0)" } ?? ""
    var fix = Finding.Fix(
      "Hop to the main thread \(entry), before anything else\(way).",
      edits: hop(reading, culprit: place).edits)
    if let advice = advice(link, reading) { fix.text += " Or: \(advice)" }
    return fix
  }

  /// The advice in the callback table; nil if the advice is the toolkit call that the fix already
  /// names.
  private static func advice(_ link: StackReading.Link?, _ reading: StackReading) -> String? {
    guard let advice = link?.callbackRule?.advice, !advice.isEmpty else { return nil }
    let call = reading.toolkitHop?.prefix { $0 != "(" } ?? ""
    return advice.hasPrefix("Use \(call)") && !call.isEmpty ? nil : advice
  }

  /// True if the failed check is one that the compiler inserted at the entry of the culprit.
  static func isAtEntry(_ crash: CrashReading) -> Bool {
    let frames = crash.frames.prefix { $0.role != .code }
    let names = frames.map(\.place.function)
    let isSaid = names.contains { name in
      ["assumeIsolated", "preconditionIsolated", "dispatchPrecondition"].contains {
        name.contains($0)
      }
    }
    return !isSaid && !frames.contains { $0.place.module == "ThreadAffinity" }
      && names.contains {
        $0.contains("swift_task") && $0.contains("xecutor") || $0.contains("checkIsolated")
      }
      && crash.reading.culprit?.place.function == crash.reading.touched?.place.function
  }

  /// Hops in `culprit`, the function that led to the work on the stack.
  static func hop(
    _ reading: StackReading, culprit: CodePlace?, isAtEntry: Bool = false
  ) -> Finding.Fix {
    if let called = reading.nearestLibrary, let way = ToolkitHopAdvice.text(called.place.function) {
      return byToolkit(way, culprit)
    }
    guard let culprit, !culprit.function.isEmpty, !culprit.function.hasPrefix("0x") else {
      return Finding.Fix("Send the work to the main queue at the entry of its callback.")
    }
    let name = DisplayText.name(culprit)
    let isClosure = FunctionName(culprit.function).isClosure
    let isCallback = reading.callback?.place.function == culprit.function
    let body = leads(culprit, reading) ? SwiftBody(culprit) : nil
    let standstill = standstill(culprit, reading)
    if isAtEntry { return atEntry(name, isClosure, besides: standstill) }
    if let standstill { return hop(culprit, reading, besides: standstill) }
    if let fix = getter(culprit, reading) { return fix }
    if let body, body.isAsync {
      let edits = body.place.line.flatMap(body.statement).flatMap {
        body.statements(like: $0, in: "await MainActor.run", isEscaping: false)
      }
      return Finding.Fix(
        "In \(name), run this work on the main actor: await MainActor.run.", edits: edits ?? [])
    }
    if let language = CodeLanguage(culprit), !language.isOfSwift {
      let way = MainHopCall.text(culprit, toolkit: reading.toolkitHop).map { ": \($0)" } ?? ""
      return Finding.Fix("Send the call of \(name) to the main thread\(way).")
    }
    guard isClosure || isCallback else {
      return Finding.Fix("Send the call of \(name) to the main queue: DispatchQueue.main.async.")
    }
    if !isClosure, let owner = protocolName(reading, culprit) { return delegate(body, name, owner) }
    let edit = body.flatMap { $0.wrapped(in: "DispatchQueue.main.async") }
    let place = isClosure ? "in \(name)" : "at the entry of \(name)"
    return Finding.Fix(
      "Hop to the main queue \(place), before anything else: DispatchQueue.main.async.",
      edits: edit.flatMap { edit in body.map { $0.dispatchImport + [edit] } } ?? [])
  }

  /// Returns the fix for a getter, which cannot hop before it returns its value; nil for other
  /// functions.
  private static func getter(_ culprit: CodePlace, _ reading: StackReading) -> Finding.Fix? {
    guard [".getter", ".read"].contains(where: culprit.function.hasSuffix) else { return nil }
    let links = reading.links.drop { $0.frame.place.function != culprit.function }
    let place = links.dropFirst().first.map { " in \(DisplayText.name($0.frame.place))" } ?? ""
    return Finding.Fix(
      "\(DisplayText.capitalized(DisplayText.name(culprit))) cannot hop, because it must return its value: read it"
        + "\(place) on the main queue; asynchronous code can use await MainActor.run.")
  }

  /// Returns the wait or loop that would block the main queue if all of the function at `place` ran
  /// there.
  private static func standstill(_ place: CodePlace, _ reading: StackReading) -> Standstill? {
    SwiftBody(place).flatMap { Standstill(in: $0, calling: calls(of: place, reading)) }
  }

  private static func calls(of place: CodePlace, _ reading: StackReading) -> [StackReading.Link] {
    Array(reading.links.prefix { $0.frame.place.function != place.function })
  }

  /// Sends only the statement that led to the work, because the rest of the function would block
  /// the main queue.
  private static func hop(
    _ place: CodePlace, _ reading: StackReading, besides standstill: Standstill
  ) -> Finding.Fix {
    let name = DisplayText.name(place)
    guard leads(place, reading), let body = SwiftBody(place), let line = place.line,
      let statement = body.statement(onLine: line),
      Standstill(in: body, statement, calling: calls(of: place, reading)) == nil,
      let root = body.receiver(of: statement).split(separator: ".").last,
      !body.names([root], after: statement),
      let edits = body.statements(
        like: statement, in: body.isAsync ? "await MainActor.run" : "DispatchQueue.main.async",
        isEscaping: !body.isAsync)
    else { return standstill.fix(sending: name, to: "the main queue") }
    return Finding.Fix(
      "Send only the call to the main queue, not all of \(name): \(standstill.why).",
      edits: body.dispatchImport + edits)
  }

  /// True if the source line at `place` calls the next function on the stack. Otherwise the source
  /// has changed since the build.
  private static func leads(_ place: CodePlace, _ reading: StackReading) -> Bool {
    let links = reading.links.map(\.frame.place)
    guard let at = links.firstIndex(where: { $0.function == place.function }), at > 0 else {
      return true
    }
    let name = FunctionName(links[at - 1].function)
    if name.isClosure { return true }
    let parts = name.last.prefix { $0 != "(" && $0 != "<" }.split(separator: ".")
    let accessors = [".getter", ".setter", ".didset", ".willset", ".modify", ".read"]
    let isAccessor = accessors.contains(where: name.text.hasSuffix)
    let called = isAccessor ? name.type.split(separator: ".").last : parts.last
    guard let called, called != "init", called != "subscript" else { return true }
    let source = SourceLine.added(to: place).source ?? ""
    return source.words.contains(called[...])
  }

  /// Describes the fix as text, because the code depends on the captures of the closure.
  ///
  /// - Parameter standstill: A wait in the closure, which must not move to the main queue.
  private static func atEntry(
    _ name: String, _ isClosure: Bool, besides standstill: Standstill?
  ) -> Finding.Fix {
    let work =
      standstill.map {
        "do only the work that belongs there in a Task on the main actor: \($0.why)"
      }
      ?? "do all of its work in a Task on the main actor"
    return Finding.Fix(
      "The check runs at the entry of \(name), before any hop inside: make "
        + "\(isClosure ? "the closure @Sendable" : "the function nonisolated"), and \(work).")
  }

  /// The protocol through which a method was called; empty if only the method's name suggests a
  /// delegate; nil for other methods.
  private static func protocolName(_ reading: StackReading, _ culprit: CodePlace) -> String? {
    let link = reading.links.first { $0.frame.place.function == culprit.function }
    if let link, link.throughProtocol { return link.protocolName }
    return FunctionName(culprit.function).soundsLikeDelegate ? "" : nil
  }

  /// Hops in every method of a delegate, because one caller calls all of them.
  private static func delegate(
    _ body: SwiftBody?, _ name: String, _ owner: String
  ) -> Finding.Fix {
    let shim =
      owner.isEmpty
      ? "A generated shim hops for all methods of a protocol: swift package generate-hop-shim."
      : "A generated shim does the same for all methods of \(owner): swift package --allow-writing-to-package-directory "
        + "generate-hop-shim --protocol \(owner), then pass "
        + "\(owner)Hop(self) in place of self, and keep a reference to it."
    let methods = body.map { [$0] + $0.otherMethodsOfDelegate } ?? []
    let edits = methods.compactMap { $0.wrapped(in: "DispatchQueue.main.async") }
    let others = methods.count - 1
    let also =
      others > 0
      ? ", and \(others == 1 ? "the other method" : "the \(others) other methods") of this delegate"
      : ""
    return Finding.Fix(
      "Hop to the main queue at the entry of \(name)\(also), before anything else. \(shim)",
      edits: edits.count == methods.count ? (body?.dispatchImport ?? []) + edits : [])
  }

  /// Makes an observing hop deliver its calls.
  private static func delivering(_ work: MisplacedWork) -> Finding.Fix {
    let text =
      "The hop of this call only observes: set delivery: .automatic, so that the hop delivers the call."
    let files = work.reading.links.compactMap(\.frame.place.file)
    let edit = work.origins.lazy.compactMap { origin -> Finding.Fix.Edit? in
      guard origin.isRegistration, let place = origin.place,
        let name = place.file?.split(separator: "/").last, let line = place.line,
        let path = files.first(where: { $0.hasSuffix("/\(name)") })
      else { return nil }
      return SourceEdit.replacing(".observe", with: ".automatic", path, line)
    }.first
    return Finding.Fix(text, edits: edit.map { [$0] } ?? [])
  }

  /// Replaces `sync` by `async` in a call; empty if later code of the function or its callers may
  /// need the result.
  static func notWaiting(_ links: [StackReading.Link]) -> [Finding.Fix.Edit] {
    guard let place = links.first?.frame.place, let line = place.line, let path = place.file,
      let body = SwiftBody(place), let statement = body.statement(onLine: line),
      body.isPlain(statement), !answers(body)
    else { return [] }
    let code = body.text.codeText(statement)
    let isBare = code.contains(".sync {") && !code.prefix { $0 != "\n" }.hasSuffix(" in")
    // Later code reads the variable of an assignment.
    guard isBare, !code.contains(/[^=!<>]=[^=]/) else { return [] }
    let words = Set(code.words.map { $0[...] })
    let goesOn = links.enumerated().contains { place, link in
      guard place > 0 else { return body.names(words, after: statement) }
      guard let outer = SwiftBody(link.frame.place), let line = link.frame.place.line,
        let statement = outer.statement(onLine: line)
      else { return false }
      return outer.names(words, after: statement)
    }
    guard !goesOn else { return [] }
    let needsSelf = body.usesSelf(body.text.read(statement))
    let edit = SourceEdit.replacing(
      ".sync {", with: needsSelf ? ".async { [self] in" : ".async {", path, line)
    return edit.map { [$0] } ?? []
  }

  /// True if a single expression in `body` may be its result: in a function with a result type, and
  /// in a closure unless its callee is known to ignore results.
  private static func answers(_ body: SwiftBody) -> Bool {
    guard body.block.kind == .closure else { return body.answersItsCaller }
    let header = body.block.header
    if header.contains(/\.async\b|\b(asyncAfter|execute|forEach)\b/) { return false }
    // Code may read the result of a task that it keeps or returns.
    let behind = body.text.code[(body.block.close + 1)...].first { $0 != 10 && $0 != 32 }
    return header.words.first != "Task" || behind == UInt8(ascii: ".") || body.answersItsCaller
  }
}

/// Builds edits of one line.
enum SourceEdit {
  /// Replaces `old` by `new` in a line; nil unless `old` occurs in its code exactly once and ends
  /// at a word boundary.
  static func replacing(
    _ old: String, with new: String, _ path: String, _ line: Int
  ) -> Finding.Fix.Edit? {
    guard let text = SwiftFiles.shared.text(at: path), line > 0, line <= text.lines.count else {
      return nil
    }
    let code = text.codeText(text.range(ofLine: line))
    let isLetter = { (sign: Character?) in
      sign.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
    let found = code.ranges(of: old).filter {
      !isLetter(old.last) || !isLetter(code[$0.upperBound...].first)
    }
    guard found.count == 1, let only = found.first else { return nil }
    let at = code.utf8.distance(from: code.startIndex, to: only.lowerBound)
    var changed = Array(text.lines[line - 1].utf8)
    changed.replaceSubrange(at..<at + old.utf8.count, with: new.utf8)
    return Finding.Fix.Edit(
      file: path, lines: .init(first: line, last: line),
      replacement: [String(decoding: changed, as: UTF8.self)])
  }
}

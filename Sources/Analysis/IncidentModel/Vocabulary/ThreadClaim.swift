/// What a sentence says of where code belongs, or where it ran: `must be called on the main thread`,
/// `off the main thread is not allowed`, `expected main thread but was pool-1`.
///
/// It is a grammar of a place, a preposition, and what obliges, forbids or tells, not a list of
/// sentences. It does not judge who speaks: a sentence in a manual makes the same claim.
package struct ThreadClaim: Equatable, Sendable {
  package enum Place: Equatable, Sendable {
    case main
    /// Any other than the main thread.
    case other
    /// The thread or the queue that an object belongs to.
    case owner
    case eventLoop
  }

  /// Where the code should have run.
  package let required: Place
  /// Whether it says that something happened, or what must be: not advice, no question, no case.
  package let isFlat: Bool

  /// The claim of a text, of which what begins it counts; nil where it makes none, or claims that
  /// contradict each other.
  package init?(_ text: String) {
    let text = ThreadVocabulary.beginning(of: text)
    if TranslatedClaim.matches(text) {
      self.init(.owner, isFlat: true)
      return
    }
    guard Self.mayClaim(text) else { return nil }
    if ThreadVocabulary.forbidsMain(text) {
      self.init(.other, isFlat: true)
      return
    }
    var found: ThreadClaim?
    for words in ThreadVocabulary.sentences(text) {
      guard let claim = Self.claim(of: words) else { continue }
      if let known = found, known.required != claim.required {
        // Who names the main thread says more than who speaks of a wrong one.
        guard [known.required, claim.required].contains(.owner) else { return nil }
        found = known.required == .owner ? claim : known
      }
      found = found ?? claim
    }
    guard let found else { return nil }
    self = found
  }

  /// What the exception that a text tells of gives as its reason; the text where it quotes none.
  package static func reason(in text: String) -> String {
    text.firstRange(of: "reason: '").map { String(text[$0.upperBound...]) } ?? text
  }

  /// Whether the reason in a text says that something belongs to the main thread, be it UI or not.
  package static func requiresMain(_ text: String) -> Bool {
    ThreadClaim(reason(in: text))?.required == .main
  }

  private init(_ required: Place, isFlat: Bool) {
    self.required = required
    self.isFlat = isFlat
  }

  /// A glance that spares most texts the grammar; a statement of code is no sentence.
  private static func mayClaim(_ text: String) -> Bool {
    !text.hasSuffix(");")
      && ["hread", "ueue", "HREAD", "ctor", "oop", "on main", "main_context", "EDT"].contains {
        text.contains($0)
      }
  }

  // MARK: The grammar

  private static func claim(of words: [String]) -> ThreadClaim? {
    if let claim = looper(words) ?? check(words) ?? ownership(words) { return claim }
    for at in words.indices {
      guard let place = Mention(words, at) else { continue }
      if let required = required(place, words) {
        let isFlat = !words.contains(where: ThreadVocabulary.hedges.contains)
        return ThreadClaim(required, isFlat: isFlat)
      }
    }
    return nil
  }

  /// `inside thread that has not called Looper.prepare()`: only the UI's thread has one unasked.
  private static func looper(_ words: [String]) -> ThreadClaim? {
    guard words.contains("looper.prepare"), words.contains("not") else { return nil }
    return words.contains("toast") ? ThreadClaim(.main, isFlat: true) : nil
  }

  /// `a different thread owns it`, `from a thread other than the one it was created on`, `only from the
  /// thread that created it`: the thread is known by what it did, not by a name.
  private static func ownership(_ words: [String]) -> ThreadClaim? {
    for at in words.indices where words[at] == "thread" {
      let before = words[..<at].suffix(6)
      let after = words[(at + 1)...].prefix(8)
      let isOwner = (before + after).contains { ThreadVocabulary.ownership.contains($0) }
      let isOther =
        before.contains("different") || after.contains("than") || before.contains("than")
        || before.last == "the" && before.dropLast().last == "not"
      // `use it on the thread that created it`.
      let isCommanded =
        before.contains(where: ThreadVocabulary.commands.contains)
        && before.suffix(2).contains(where: ThreadVocabulary.places.contains)
      let isOnly = after.first == "that" && (words[..<at].contains("only") || isCommanded)
      let acts = words.contains { ThreadVocabulary.actions.contains($0) || $0 == "cannot" }
      if isOwner, isOther || isOnly, acts {
        return ThreadClaim(.owner, isFlat: !words.contains(where: ThreadVocabulary.hedges.contains))
      }
    }
    return nil
  }

  /// `Assertion failed: ([NSThread isMainThread])`: the check itself, as it was written.
  private static func check(_ words: [String]) -> ThreadClaim? {
    let isNamed = words.contains { word in
      ThreadVocabulary.asserts.contains(word)
        || word.hasPrefix("assert") && word.hasSuffix("mainthread")
    }
    let isFailed = isNamed && words.contains { $0.hasPrefix("fail") }
    // `Invalid parameter not satisfying: …`, `NSAssert(…)`, and a check that is all there is.
    let isCall = words.first.map { $0.hasSuffix("assert") || $0.hasPrefix("dispatch") } ?? false
    guard isFailed || isCall || words.contains("satisfying") || words.count <= 3 else { return nil }
    if words.contains("g_main_context_is_owner") {
      let isDefault = words.contains("g_main_context_default")
      return ThreadClaim(isDefault ? .main : .eventLoop, isFlat: true)
    }
    let isOfMainQueue =
      words.prefix(3).contains(where: ["dispatch_assert_queue", "onqueue"].contains)
      && words.contains(where: ["dispatch_get_main_queue", "main"].contains)
    let isOfMain =
      isOfMainQueue || words.contains { ThreadVocabulary.checks.contains(where: $0.hasSuffix) }
    return isOfMain ? ThreadClaim(.main, isFlat: true) : nil
  }

  /// A thread that a sentence mentions, and the words around it.
  private struct Mention {
    /// Where code is said to be, the preposition taken into account.
    var place: Place
    /// The words before the preposition.
    var before: ArraySlice<String>
    var after: ArraySlice<String>
    /// Whether a preposition leads to it: `from the main thread`, not `the main thread`.
    var isLocal: Bool
    /// What the thread is called, where that is no place: `wrong`, `same`, `another`.
    var name: String

    init?(_ words: [String], _ at: Int) {
      guard let (place, end) = Self.name(words, at) else { return nil }
      var start = at
      let isBefore = { (word: String) in
        ThreadVocabulary.articles.contains(word) || ThreadVocabulary.qualifiers.contains(word)
      }
      while start > 0, isBefore(words[start - 1]) { start -= 1 }
      isLocal = false
      name = words[at]
      self.place = place
      while start > 0, ThreadVocabulary.places.contains(words[start - 1]) {
        start -= 1
        isLocal = true
        let isOutside =
          ["off", "outside"].contains(words[start])
          || words[start] == "than" && start > 0 && words[start - 1] == "other"
        guard isOutside else { continue }
        guard place == .main || place == .eventLoop else { return nil }
        self.place = place == .main ? .other : .owner
      }
      before = words[max(0, start - 16)..<start]
      after = words[end..<min(words.count, end + 8)]
    }

    /// The place that is named at a word, and the word after its name.
    private static func name(_ words: [String], _ at: Int) -> (place: Place, end: Int)? {
      let word = words[at]
      if ["mainactor", "main-thread", "mainthread", "edt"].contains(word) {
        return (.main, at + 1)
      }
      // `from AWT event dispatch thread`.
      if words[at...].starts(with: ["event", "dispatch", "thread"])
        || words[at...].starts(with: ["event", "dispatching", "thread"])
      {
        return (.main, at + 3)
      }
      if word == "eventloop" { return (.eventLoop, at + 1) }
      if word.hasSuffix("uithread") { return (.main, at + 1) }
      let isEvent = word == "event" && at + 1 < words.count && words[at + 1] == "loop"
      if isEvent, at == 0 || !ThreadVocabulary.mainNames.contains(words[at - 1]) {
        return (.eventLoop, at + 2)
      }
      guard let place = place(of: word) else { return nil }
      // `expected to be on main`, `must run on main, was on background`.
      let isBare =
        at > 0 && word == "main"
        && ["on", "off", "expected", "expects", "required", "requires"].contains(words[at - 1])
      if isBare, at + 1 == words.count || endings.contains(words[at + 1]) { return (.main, at + 1) }
      var end = at + 1
      while end < words.count, ThreadVocabulary.qualifiers.contains(words[end]) { end += 1 }
      guard end < words.count, ThreadVocabulary.threads.contains(words[end]) else { return nil }
      // `main thread checker`, `main thread's`, `main queue name` are about something else.
      let next = end + 1 < words.count ? words[end + 1] : ""
      if ["checker", "sanitizer", "name", "id", "priority", "pool", "count", "stack"].contains(next)
      {
        return nil
      }
      return (place, end + 1)
    }

    private static func place(of word: String) -> Place? {
      if ThreadVocabulary.mainNames.contains(word) { return .main }
      if ThreadVocabulary.otherNames.contains(word) { return .other }
      if word == "looper" { return .eventLoop }
      let isOfOwner = [
        ThreadVocabulary.wrongNames, ThreadVocabulary.rightNames, ThreadVocabulary.strangeNames,
      ]
      .contains { $0.contains(word) }
      return isOfOwner ? .owner : nil
    }
  }

  /// Where code should have been, as the words around a mention have it.
  private static func required(_ mention: Mention, _ words: [String]) -> Place? {
    let before = Array(mention.before)
    let isNegated = before.contains(where: ThreadVocabulary.negations.contains)
    let acts = before.contains(where: ThreadVocabulary.actions.contains)
    if mention.place == .owner { return owner(mention, before, acts || isNegated) }
    if isBanned(before, mention.after), mention.isLocal, acts || before.count <= 1 {
      return opposite(mention.place)
    }
    if let required = duty(mention, before, isNegated) { return required }
    return told(mention, before) ?? command(mention, before)
  }

  /// `called on the wrong thread`, `must be called on the same thread`, `illegal … from another thread`.
  private static func owner(_ mention: Mention, _ before: [String], _ acts: Bool) -> Place? {
    if ThreadVocabulary.wrongNames.contains(mention.name) {
      let isAccess = mention.name == "invalid" && mention.after.first != "access"
      return !isAccess && (acts || before.isEmpty && mention.after.first != "name") ? .owner : nil
    }
    guard mention.isLocal, acts else { return nil }
    if ThreadVocabulary.rightNames.contains(mention.name) {
      let duty = before.last(where: ThreadVocabulary.duties.contains)
      return duty != nil && !before.contains(where: ThreadVocabulary.negations.contains)
        ? .owner : nil
    }
    // What is left is the outside of a loop.
    return !ThreadVocabulary.strangeNames.contains(mention.name) || isBanned(before, [])
      ? .owner : nil
  }

  /// `… is not allowed`, `cannot …`: what is forbidden at a place belongs at the other.
  private static func isBanned(_ before: [String], _ after: ArraySlice<String>) -> Bool {
    let after = Array(after)
    if let first = after.prefix(3).first(where: ThreadVocabulary.bans.contains), first != "can't" {
      return true
    }
    if let not = after.prefix(8).firstIndex(where: ThreadVocabulary.negations.contains),
      after[not...].prefix(3).contains(where: Self.allowances.contains)
    {
      return true
    }
    let isCapable = before.contains("cannot") || before.contains("can't")
    let isIllegal = before.contains { ThreadVocabulary.bans.contains($0) }
    let isNotSafe = zip(before, before.dropFirst()).contains { $0 == "not" && $1 == "safe" }
    return isCapable || isIllegal || isNotSafe
  }

  private static let endings: Set<String> = [
    "but", "got", "was", "is", "not", "instead", "found", "current", "actual", "only",
  ]
  private static let allowances: Set<String> = ["allowed", "permitted", "supported", "safe"]

  /// `must only be called on …`, `can only be used from …`, `is only safe to invoke on …`, `expected …`.
  private static func duty(
    _ mention: Mention, _ before: [String], _ isNegated: Bool
  ) -> Place? {
    let isOnly = before.contains("only") || mention.after.first == "only"
    let last = before.lastIndex(where: ThreadVocabulary.duties.contains)
    guard last != nil || isOnly else { return nil }
    // `is main thread only`, `main thread only: …`.
    if mention.place == .main, !mention.isLocal, mention.after.first == "only", !isNegated,
      before.last.map({ ["is", "are", "for", "on"].contains($0) }) ?? true
    {
      return .main
    }
    // `has been accessed from` tells; `has to be called on` obliges.
    if let last, ["has", "have"].contains(before[last]), !isOnly {
      guard before[last...].dropFirst().first == "to" else { return nil }
    }
    let acts =
      before.contains(where: ThreadVocabulary.actions.contains) || before.contains("be")
      || isOnly && before.contains(where: allowances.contains)
    let isExpected = ["expected", "expects", "requires", "require", "required"].contains {
      before.suffix(4).contains($0)
    }
    guard isExpected || (mention.isLocal && acts) else { return nil }
    // `expected main thread heartbeat` is about something else.
    if !mention.isLocal, let next = mention.after.first, !endings.contains(next) { return nil }
    // `was not expected`, `must not be called`.
    return isNegated ? opposite(mention.place) : mention.place
  }

  /// `was not called on the main thread`, `called from a background thread`.
  private static func told(_ mention: Mention, _ before: [String]) -> Place? {
    guard mention.isLocal else {
      // `Not on main thread`, `is not the main thread`.
      return mention.place == .main && before.last == "not" ? .main : nil
    }
    if before.last == "not", mention.place == .main { return .main }
    // `from a thread other than the main thread`.
    if before.last == "other", mention.place == .other { return .main }
    let isAttempt = before.contains(where: ThreadVocabulary.attempts.contains)
    let acts = before.contains(where: ThreadVocabulary.actions.contains)
    if isAttempt, acts, mention.place == .other { return .main }
    let told: Set = ["called", "accessed", "used", "invoked", "touched", "modified", "updated"]
    guard let action = before.lastIndex(where: told.contains), action + 2 >= before.count else {
      return nil
    }
    let isNot = before[..<action].suffix(2).contains(where: ThreadVocabulary.negations.contains)
    switch mention.place {
    case .main: return isNot ? .main : nil
    case .other: return isNot ? nil : .main
    case .owner, .eventLoop: return isNot ? mention.place : nil
    }
  }

  /// `…, call it on the main queue`: a command, not what somebody tries to do.
  private static func command(_ mention: Mention, _ before: [String]) -> Place? {
    guard mention.isLocal, mention.place == .main,
      let verb = before.lastIndex(where: ThreadVocabulary.commands.contains),
      verb + 3 >= before.count,
      before[(verb + 1)...].allSatisfy(ThreadVocabulary.objects.contains)
    else { return nil }
    let isForbidden = verb > 0 && ["not", "never", "don't"].contains(before[verb - 1])
    if isForbidden { return .other }
    return verb == 0 || !ThreadVocabulary.auxiliaries.contains(before[verb - 1]) ? .main : nil
  }

  private static func opposite(_ place: Place) -> Place? {
    switch place {
    case .main: .other
    case .other: .main
    case .owner, .eventLoop: nil
    }
  }
}

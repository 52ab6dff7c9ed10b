/// A statement about the thread on which code belongs or ran: `must be called on the main thread`,
/// `off the main thread is not allowed`, `expected main thread but was pool-1`.
///
/// The parser uses a grammar of places, prepositions, and words that require, forbid or report, not
/// a list of sentences. The source of the sentence is not considered: a sentence in a manual makes
/// the same claim.
package struct ThreadClaim: Equatable, Sendable {
  package enum Place: Equatable, Sendable {
    case main
    /// Any thread except the main thread.
    case other
    /// The thread or the queue that owns an object.
    case owner
    case eventLoop
  }

  /// The place on which the code should have run.
  package let required: Place
  /// True if the text states a fact or a duty, rather than advice, a question or a condition.
  package let isFlat: Bool

  /// The claim in the beginning of a text; nil if the text makes no claim or contradictory claims.
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
        // A claim about the main thread is more specific than a claim about the wrong thread.
        guard [known.required, claim.required].contains(.owner) else { return nil }
        found = known.required == .owner ? claim : known
      }
      found = found ?? claim
    }
    guard let found else { return nil }
    self = found
  }

  /// The reason of the exception that a text quotes; the whole text if it quotes none.
  package static func reason(in text: String) -> String {
    text.firstRange(of: "reason: '").map { String(text[$0.upperBound...]) } ?? text
  }

  /// True if the reason in a text says that some work belongs on the main thread.
  package static func requiresMain(_ text: String) -> Bool {
    ThreadClaim(reason(in: text))?.required == .main
  }

  private init(_ required: Place, isFlat: Bool) {
    self.required = required
    self.isFlat = isFlat
  }

  /// A cheap filter that excludes most texts before they are parsed. A line of code is not a
  /// sentence.
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

  /// `inside thread that has not called Looper.prepare()`: only Android's main thread has a looper
  /// by default.
  private static func looper(_ words: [String]) -> ThreadClaim? {
    guard words.contains("looper.prepare"), words.contains("not") else { return nil }
    return words.contains("toast") ? ThreadClaim(.main, isFlat: true) : nil
  }

  /// `a different thread owns it`, `from a thread other than the one it was created on`, `only from
  /// the thread that created it`: the sentence identifies the thread by its relation to an object.
  private static func ownership(_ words: [String]) -> ThreadClaim? {
    for at in words.indices where words[at] == "thread" {
      let before = words[..<at].suffix(6)
      let after = words[(at + 1)...].prefix(8)
      let isOwner = (before + after).contains { ThreadVocabulary.ownership.contains($0) }
      let isOther =
        before.contains("different") || after.contains("than") || before.contains("than")
        || before.last == "the" && before.dropLast().last == "not"
      // Example: `use it on the thread that created it`.
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

  /// `Assertion failed: ([NSThread isMainThread])`: the text quotes the failed check.
  private static func check(_ words: [String]) -> ThreadClaim? {
    let isNamed = words.contains { word in
      ThreadVocabulary.asserts.contains(word)
        || word.hasPrefix("assert") && word.hasSuffix("mainthread")
    }
    let isFailed = isNamed && words.contains { $0.hasPrefix("fail") }
    // Examples: `Invalid parameter not satisfying: …`, `NSAssert(…)`, and a text that is only the
    // check.
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

  /// A thread mentioned in a sentence, with the words around the mention.
  private struct Mention {
    /// The place that the sentence mentions, after the preposition is applied.
    var place: Place
    /// The words before the preposition.
    var before: ArraySlice<String>
    var after: ArraySlice<String>
    /// True if a preposition precedes the thread: `from the main thread`, not `the main thread`.
    var isLocal: Bool
    /// The adjective of the thread if it is not a place: `wrong`, `same`, `another`.
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

    /// The place whose name starts at a word, and the index after the name.
    private static func name(_ words: [String], _ at: Int) -> (place: Place, end: Int)? {
      let word = words[at]
      if ["mainactor", "main-thread", "mainthread", "edt"].contains(word) {
        return (.main, at + 1)
      }
      // Example: `from AWT event dispatch thread`.
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
      // Examples: `expected to be on main`, `must run on main, was on background`.
      let isBare =
        at > 0 && word == "main"
        && ["on", "off", "expected", "expects", "required", "requires"].contains(words[at - 1])
      if isBare, at + 1 == words.count || endings.contains(words[at + 1]) { return (.main, at + 1) }
      var end = at + 1
      while end < words.count, ThreadVocabulary.qualifiers.contains(words[end]) { end += 1 }
      guard end < words.count, ThreadVocabulary.threads.contains(words[end]) else { return nil }
      // `main thread checker`, `main thread's` and `main queue name` do not mention the thread as a
      // place.
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

  /// The required place that the words around a mention state.
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

  /// Handles `called on the wrong thread`, `must be called on the same thread`, `illegal … from
  /// another thread`.
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
    // The remaining mentions are of the form “outside the event loop”.
    return !ThreadVocabulary.strangeNames.contains(mention.name) || isBanned(before, [])
      ? .owner : nil
  }

  /// True for `… is not allowed` and `cannot …`: work that is forbidden in one place belongs in the
  /// opposite place.
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

  /// Handles `must only be called on …`, `can only be used from …`, `is only safe to invoke on …`,
  /// `expected …`.
  private static func duty(
    _ mention: Mention, _ before: [String], _ isNegated: Bool
  ) -> Place? {
    let isOnly = before.contains("only") || mention.after.first == "only"
    let last = before.lastIndex(where: ThreadVocabulary.duties.contains)
    guard last != nil || isOnly else { return nil }
    // Examples: `is main thread only`, `main thread only: …`.
    if mention.place == .main, !mention.isLocal, mention.after.first == "only", !isNegated,
      before.last.map({ ["is", "are", "for", "on"].contains($0) }) ?? true
    {
      return .main
    }
    // `has been accessed from` reports an event; `has to be called on` states a duty.
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
    // `expected main thread heartbeat` does not mention the thread as a place.
    if !mention.isLocal, let next = mention.after.first, !endings.contains(next) { return nil }
    // Examples: `was not expected`, `must not be called`.
    return isNegated ? opposite(mention.place) : mention.place
  }

  /// Handles reports of events: `was not called on the main thread`, `called from a background
  /// thread`.
  private static func told(_ mention: Mention, _ before: [String]) -> Place? {
    guard mention.isLocal else {
      // Examples: `Not on main thread`, `is not the main thread`.
      return mention.place == .main && before.last == "not" ? .main : nil
    }
    if before.last == "not", mention.place == .main { return .main }
    // Example: `from a thread other than the main thread`.
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

  /// Handles commands, such as `…, call it on the main queue`. A verb after an auxiliary is not a
  /// command.
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

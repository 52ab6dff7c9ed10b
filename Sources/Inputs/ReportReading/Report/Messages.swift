import IncidentModel

/// The meanings of well-known messages about main-queue work off the main queue.
enum Messages {
  enum Meaning: Hashable {
    /// UI work ran off the main thread. The API is empty if the message names none.
    case offMainUI(api: String)
    /// A queue check or an isolation check failed; `expected` is the required place.
    case isolation(expected: String)
  }

  /// The meaning of `text`; nil if it concerns no queue or thread, or only quotes a message.
  static func meaning(of text: String) -> Meaning? {
    if let (expected, place) = expectation(in: text) {
      return isQuoted(at: place, in: text) ? nil : .isolation(expected: expected)
    }
    for sentence in offMain {
      guard let place = text.range(of: sentence)?.lowerBound else { continue }
      return isQuoted(at: place, in: text) ? nil : .offMainUI(api: "")
    }
    if let place = text.range(of: " must be used from main thread only")?.lowerBound {
      let name = lastWord(text[..<place])
      let start = text.utf8.index(place, offsetBy: -name.utf8.count)
      return isMember(name) && !isQuoted(at: start, in: text) ? .offMainUI(api: name) : nil
    }
    return nil
  }

  /// The meaning of a termination reason. A reason is a direct statement about this process, so it
  /// counts even if the same claim in any other text would be only advice.
  ///
  /// - Parameter isOwnCheck: True if the program's own code produced the message. In such a message
  ///   “the UI thread” may be the name of another thread.
  static func meaning(ofReason text: String, isOwnCheck: Bool = false) -> Meaning? {
    if let meaning = meaning(of: text) { return meaning }
    let text = ThreadClaim.reason(in: text)
    let subject = isOwnCheck ? text.replacing("UI thread", with: "main thread") : text
    switch ThreadClaim(text)?.required {
    case .main:
      return speaksOfUI(subject) && !isOwnCheck
        ? .offMainUI(api: method(in: text) ?? "") : .isolation(expected: "main queue")
    case .owner where speaksOfUI(subject): return .offMainUI(api: method(in: text) ?? "")
    case .owner: return .isolation(expected: "thread that owns the object")
    case .eventLoop: return .isolation(expected: "event loop")
    case .other: return nil
    case nil: return threadIdentity(text) ?? bareComplaint(text)
    }
  }

  /// The meaning of a failed comparison of the calling thread with an owner thread: `Assertion
  /// `std::this_thread::get_id() == g_mainThread' failed`.
  private static func threadIdentity(_ text: String) -> Meaning? {
    // Rust prints both operands: `left: ThreadId(7) right: ThreadId(1)`.
    if text.contains("left: ThreadId("), text.contains("right: ThreadId(") {
      let isMain = ["main thread", "UI thread", "GUI thread"].contains(where: text.contains)
      return .isolation(expected: isMain ? "main queue" : "thread that owns the object")
    }
    let isFailed = ["Assertion", "Check failed", "ASSERT", "assertion failed"].contains {
      text.contains($0)
    }
    guard isFailed, text.contains("==") || text.contains("pthread_equal"), !text.contains("!="),
      [
        "get_id()", "gettid", "pthread_self", "GetCurrentThreadId", "urrentThread",
        "current_thread",
      ]
      .contains(where: text.contains)
    else { return nil }
    let names = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { $0.lowercased() }
      .filter { name in
        ["thread", "tid", "qapp"].contains(where: name.contains) || name.hasSuffix("id")
      }
    if names.contains(where: { name in
      ["main", "ui_", "uithread", "gui", "qapp"].contains(where: name.contains)
    }) {
      return .isolation(expected: "main queue")
    }
    let isOwner = names.contains { name in
      ["owner", "creat", "m_thread"].contains(where: name.contains)
    }
    return isOwner ? .isolation(expected: "thread that owns the object") : nil
  }

  /// The meaning of a reason that only states the thread: `setSteps: off the main thread`.
  private static func bareComplaint(_ text: String) -> Meaning? {
    for words in ThreadVocabulary.sentences(text) where words.count <= 10 {
      guard words.allSatisfy({ !advice.contains($0) }),
        let thread = words.lastIndex(where: { ["thread", "queue", "main"].contains($0) }),
        thread == words.count - 1
      else { continue }
      let place = words.suffix(6).dropLast().filter {
        !ThreadVocabulary.articles.contains($0) && $0 != "of"
      }
      .suffix(2)
      let isOff = place.first.map { ["off", "outside"].contains($0) } ?? false
      if isOff && ["main", "ui", "gui"].contains(place.last ?? "")
        || words.suffix(2) == ["off", "main"]
      {
        return .isolation(expected: "main queue")
      }
    }
    return nil
  }

  /// Words that mark a sentence as a request, a denial or a condition.
  private static let advice: Set<String> = [
    "must", "should", "shall", "may", "can", "cannot", "can't", "need", "needs", "to", "not",
    "never", "no",
    "if", "when", "only", "please", "do", "don't", "run", "move", "wait", "waiting", "failed",
    "timeout",
    "expected", "so", "because", "could", "would",
  ]

  /// The meaning of a framework's complaint in a log. Only a direct statement about a method or
  /// about UI counts.
  static func meaning(ofComplaint text: String) -> Meaning? {
    guard let claim = ThreadClaim(text), claim.isFlat, claim.required == .main else { return nil }
    let method = method(in: text)
    guard method != nil || speaksOfUI(text) else { return nil }
    return .offMainUI(api: method ?? "")
  }

  /// True if a claim is about views, windows or UI frameworks.
  private static func speaksOfUI(_ text: String) -> Bool {
    if let method = method(in: text) {
      return userInterfaces.contains(where: method.dropFirst(2).hasPrefix)
    }
    let words = Set(ThreadVocabulary.sentences(text).joined())
    return !words.isDisjoint(with: userInterfaceWords)
  }

  /// The Objective-C method that a text names: `-[Class selector]`.
  private static func method(in text: String) -> String? {
    for sign in ["-[", "+["] {
      guard let start = text.range(of: sign)?.lowerBound,
        let end = text[start...].firstIndex(of: "]")
      else { continue }
      let method = text[start...end]
      if method.contains(" "), method.utf8.count < 256 { return String(method) }
    }
    return nil
  }

  private static let userInterfaces = [
    "UI", "NSView", "NSWindow", "NSApplication", "WK", "CA", "MK",
  ]

  private static let userInterfaceWords: Set<String> = [
    "view", "views", "view's", "layer", "layout", "autolayout", "window", "windows", "nswindow",
    "uikit", "appkit", "swiftui", "webkit", "toast", "dialog", "ui", "gui", "uiview", "nsview",
    "uiapplication", "widget", "widgets", "nexteventmatchingmask", "tis", "constraint",
    "constraints", "animation", "animations", "wkwebview", "webview", "qwidget", "qwindow",
    "pixmap", "pixmaps", "menu", "cursor", "layouts",
  ]

  /// True if the text at a position is quoted or in a comment. An exception's own reason is also in
  /// quotes and does not count as quoted.
  static func isQuoted(at place: String.Index, in text: String) -> Bool {
    let before = text[..<place]
    if before.hasSuffix("reason: '") || before.hasSuffix("reason: \"") {
      // A quotation may contain the whole exception line.
      let start = before.range(of: "Terminating app due")?.lowerBound
      let sign = start.flatMap { before[..<$0].trimmedOf("* ").last }
      return sign.map { "\"`“«".contains($0) } ?? false
    }
    if let sign = before.last, "'\"`“‘«".contains(sign) { return true }
    if isInSpan(place, of: text) || isInTable(text) { return true }
    let start = before.trimmed
    return start.hasPrefix("//") || start.contains(" //")
  }

  /// True if a position is inside a Markdown code span that begins earlier on the line.
  private static func isInSpan(_ place: String.Index, of text: String) -> Bool {
    let line = text[..<place].lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex
    let before = text[line..<place]
    guard before.count(where: { $0 == "`" }) % 2 == 1, let open = before.lastIndex(of: "`"),
      text[place...].contains("`")
    else { return false }
    // A debugger writes `Image`symbol`.
    return open == before.startIndex
      || " |(*_\t".contains(before[before.index(before: open)])
  }

  /// True if a line is a string literal of source code or of a list: `("Modifications to …",
  /// "thread.layout"),`.
  static func isLiteral(_ line: String) -> Bool {
    let text = line[LogMargin.end(of: line)...].trimmedOf(" \t,;)]}")
    guard text.hasSuffix("\"") || text.hasSuffix("'") else { return false }
    let inner = text.trimmedOf("-([{ \t")
    if inner.hasPrefix("\"") || inner.hasPrefix("@\"") { return true }
    if text.contains("reason: '") { return false }
    return ["= \"", "= @\"", "(\"", "- \"", "- '", ": '"].contains { mark in
      // A message may end in a quoted name, but a literal makes up most of its line.
      text.range(of: mark).map { text[$0.upperBound...].count > text[..<$0.lowerBound].count }
        ?? false
    }
  }

  /// True if the text at `place` is a log's own message: the text is no literal and no quotation,
  /// and only the log's prefix precedes it.
  static func stands(at place: String.Index, in line: String) -> Bool {
    !isLiteral(line) && !isQuoted(at: place, in: line) && isLogPrefix(line[..<place])
  }

  /// True if a text is empty or a log prefix: a time, a host, a process, a level and a tag.
  private static func isLogPrefix(_ text: Substring) -> Bool {
    let prefix = text.trimmedOf("> |\t")
    guard let first = prefix.first, let last = prefix.last else { return true }
    if prefix.contains(where: "\"`“«".contains) { return false }
    let words = prefix.split(separator: " ")
    // A sentence that introduces a quotation also ends in a colon.
    let isStart = first.isNumber || "[<".contains(first) || months.contains(words[0].prefix(3))
    return (isStart || words.count <= 2) && (":]|)".contains(last) || last.isNumber)
  }

  private static let months: Set<Substring> = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// True if a line is a table row; tables list possible messages.
  private static func isInTable(_ text: String) -> Bool {
    let line = text.trimmed
    return line.hasPrefix("| ") && line.hasSuffix(" |") && line.dropFirst().contains(" | ")
  }

  /// True if a text consists of one of the messages, and does not merely contain the message.
  static func isWhole(_ text: String) -> Bool {
    offMain.contains(where: text.hasPrefix) || text.hasPrefix("-[") || text.hasPrefix("+[")
      || text.contains("reason: '")
  }

  /// True if a name has the form of a method or property: `-[UIView frame]`, `UIView.frame`.
  private static func isMember(_ name: String) -> Bool {
    if name.hasPrefix("-[") || name.hasPrefix("+[") { return true }
    guard let dot = name.firstIndex(of: "."), dot > name.startIndex else { return false }
    return name.first?.isUppercase == true
      && name[name.index(after: dot)...].first?.isLetter == true
  }

  private static let offMain = [
    "Modifications to the layout engine must not be performed from a background thread",
    "This application is modifying the autolayout engine from a background thread",
    "Publishing changes from background threads is not allowed",
    "deleted thread with uncommitted CATransaction",
    "Only the original thread that created a view hierarchy can touch its views",
    "UI API called on a background thread",
    "UI API called from background thread",
    "should never be called on a background thread: -[UI",
    "NSWindow drag regions should only be invalidated on the Main Thread",
    "NSWindow should only be instantiated on the main thread",
    "NSWindow should only be instantiated on the Main Thread",
    "Tried to obtain the web lock from a thread other than the main thread or the web thread",
    "CA_ASSERT_MAIN_THREAD_TRANSACTIONS", "XInitThreads has not been called",
    "Tcl_AsyncDelete: async handler deleted by the wrong thread",
    "Tcl_AsyncDelete: cannot find async handler", "main thread is not in main loop",
    "Calling Tcl from different apartment",
    "(RPC_E_WRONG_THREAD)", "marshalled for a different thread",
    "WebKit Threading Violation - initial use of WebKit from a secondary thread",
  ]

  private static func expectation(in text: String) -> (expected: String, place: String.Index)? {
    // A block that was not expected on a queue broke the opposite rule.
    if let place = text.range(of: "Block was expected to execute on queue [") {
      // A list of message patterns has placeholders there: `[(.*)]`, `[%s]`.
      let patterns = ["(.", ".*", ".+", "%"]
      if patterns.contains(where: text[place.upperBound...].hasPrefix) { return nil }
      let label = text[place.upperBound...].prefix { $0 != "]" && $0 != "(" }
      // The end of a string literal precedes the end of the label.
      if label.contains("\"") { return nil }
      return (queue(label), place.lowerBound)
    }
    guard let assumption = text.range(of: "Incorrect actor executor assumption")?.lowerBound else {
      return race(in: text)
    }
    for words in ["Expected same executor as ", "Expected '", "expected '"] {
      guard let place = text.range(of: words) else { continue }
      let rest = text[place.upperBound...]
      let path = rest.prefix { $0.isLetter || $0.isNumber || "._<>".contains($0) }.trimmedOf(".")
      // The module name precedes the type name.
      let actor = path.split(separator: ".").last.map(String.init) ?? path
      return (actor == "MainActor" ? "main actor" : "actor \(actor)", assumption)
    }
    return ("another executor", assumption)
  }

  private static func race(in text: String) -> (expected: String, place: String.Index)? {
    guard let place = text.range(of: "@MainActor function at")?.lowerBound,
      text.contains("was not called on the main thread")
    else { return nil }
    return ("main actor", place)
  }

  private static func queue(_ label: Substring) -> String {
    let label = label.drop { $0 == " " }
    let name = label.prefix { $0 != " " }
    return name == "com.apple.main-thread" ? "main queue" : "queue \(label)"
  }

  private static func lastWord(_ text: Substring) -> String {
    // An Objective-C method contains a space: `-[Class selector]`.
    if text.hasSuffix("]"), let start = text.lastIndex(of: "["), start > text.startIndex {
      return String(text[text.index(before: start)...])
    }
    return String(text.split(separator: " ").last ?? "")
  }
}

/// What well-known messages mean: the words by which systems tell of main-queue work off the main
/// queue.
enum Messages {
  enum Meaning: Hashable {
    /// UI work ran off the main thread; the API, where the message names it.
    case offMainUI(api: String)
    /// A check of a queue or an isolation failed: what it expected.
    case isolation(expected: String)
  }

  /// What `text` says; nil where it says nothing of queues, or only speaks of what says it.
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

  /// Whether what stands at a place is somebody's word about a message: in quotes, in a comment. An
  /// exception's own reason stands in quotes too.
  static func isQuoted(at place: String.Index, in text: String) -> Bool {
    let before = text[..<place]
    if before.hasSuffix("reason: '") || before.hasSuffix("reason: \"") { return false }
    if let sign = before.last, "'\"`“‘«".contains(sign) { return true }
    let start = before.trimmed
    return start.hasPrefix("//") || start.contains(" //")
  }

  /// Whether a text is one of the messages, not a longer one with it inside.
  static func isWhole(_ text: String) -> Bool {
    offMain.contains(where: text.hasPrefix) || text.hasPrefix("-[") || text.hasPrefix("+[")
      || text.contains("reason: '")
  }

  /// Whether it is written as a method or a property of a type: `-[UIView frame]`, `UIView.frame`.
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
    "WebKit Threading Violation - initial use of WebKit from a secondary thread",
  ]

  /// Whether `text` says that something belongs to the main thread, be it UI or not.
  static func speaksOfMain(_ text: String) -> Bool { onMain.contains(where: text.contains) }

  private static let onMain = [
    "must be made on main thread", "must be made on the main thread", "expected the main thread",
    "must be called on the main thread", "must be called from the main thread",
    "may only be called from the main thread", "only be used from the main thread",
    "Only run on the main thread", "not on the main thread",
  ]

  private static func expectation(in text: String) -> (expected: String, place: String.Index)? {
    // A block that was not expected on a queue has broken another rule.
    if let place = text.range(of: "Block was expected to execute on queue [") {
      let label = text[place.upperBound...].prefix { $0 != "]" && $0 != "(" }
      return (queue(label), place.lowerBound)
    }
    guard let assumption = text.range(of: "Incorrect actor executor assumption")?.lowerBound else {
      return race(in: text)
    }
    for words in ["Expected same executor as ", "Expected '", "expected '"] {
      guard let place = text.range(of: words) else { continue }
      let actor = text[place.upperBound...].prefix { !".,'\n".contains($0) }
      return (actor == "MainActor" ? "main actor" : "\(actor)", assumption)
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
    // An Objective-C method has a space in it: -[Class selector].
    if text.hasSuffix("]"), let start = text.lastIndex(of: "["), start > text.startIndex {
      return String(text[text.index(before: start)...])
    }
    return String(text.split(separator: " ").last ?? "")
  }
}

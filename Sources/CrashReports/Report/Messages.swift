/// What well-known messages mean: the words by which systems tell of main-queue work off the main
/// queue.
enum Messages {
  enum Meaning: Hashable {
    /// UI work ran off the main thread; the API, where the message names it.
    case offMainUI(api: String)
    /// A check of a queue or an isolation failed: what it expected.
    case isolation(expected: String)
  }

  /// What `text` says; nil where it says nothing of queues.
  static func meaning(of text: String) -> Meaning? {
    if let expected = expectation(in: text) { return .isolation(expected: expected) }
    if offMain.contains(where: text.contains) { return .offMainUI(api: "") }
    if let place = text.range(of: " must be used from main thread only") {
      return .offMainUI(api: lastWord(text[..<place.lowerBound]))
    }
    return nil
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
  ]

  private static func expectation(in text: String) -> String? {
    if let place = text.range(of: "expected to execute on queue [") {
      let label = text[place.upperBound...].prefix { $0 != "]" && $0 != "(" }
      return queue(label)
    }
    if let place = text.range(of: "Expected same executor as ") {
      let actor = text[place.upperBound...].prefix { $0 != "." && $0 != "," && $0 != "\n" }
      return actor == "MainActor" ? "main actor" : "\(actor)"
    }
    if text.contains("Incorrect actor executor assumption") { return "another executor" }
    if text.contains("@MainActor function at"), text.contains("was not called on the main thread") {
      return "main actor"
    }
    return nil
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

extension StringProtocol {
  /// Where `text` first occurs.
  func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}

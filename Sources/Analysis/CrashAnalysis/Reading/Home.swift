/// The queue, actor or thread where code belongs, from the expectation of an affinity or a check.
enum Home: Hashable, Sendable {
  case main
  case mainActor
  /// A queue by its label; empty if unknown.
  case queue(String)
  case actor(String)
  /// A thread, by the name of its affinity.
  case thread(String)
  /// An event loop by its name; empty if unknown.
  case eventLoop(String)
  /// The thread that owns an object.
  case owner
  /// The queue of the managed object context, in Core Data.
  case context
  /// An executor without a known name.
  case executor

  /// Parses the text of an expectation.
  ///
  /// - Parameter expected: The text in a violation or report; nil results if that is not a place,
  ///   because a late response is recorded as a violation too.
  init?(expected: String) {
    if let name = Self.thread(in: expected) {
      self = .thread(name)
      return
    }
    switch expected {
    case "main queue": self = .main
    case "main actor": self = .mainActor
    case "event loop": self = .eventLoop("")
    case _ where expected.hasPrefix("event loop "):
      self = .eventLoop(String(expected.dropFirst(11)))
    case "thread that owns the object": self = .owner
    case "another executor": self = .executor
    case "queue of its context": self = .context
    case _ where expected.hasPrefix("queue "): self = .queue(String(expected.dropFirst(6)))
    case _ where expected.hasPrefix("actor "): self = .actor(String(expected.dropFirst(6)))
    default: return nil
    }
  }

  /// Returns `render` for `render (thread 41)`: the thread id differs in each run.
  private static func thread(in expected: String) -> String? {
    guard expected.hasSuffix(")"), let open = expected.lastIndex(of: "("),
      expected[open...].hasPrefix("(thread "), expected[..<open].hasSuffix(" "),
      UInt64(expected[open...].dropFirst(8).dropLast()) != nil
    else { return nil }
    return String(expected[..<open].dropLast())
  }

  /// True if the main queue serves this home.
  var isOfMain: Bool { self == .main || self == .mainActor }

  /// The text in a fingerprint: the kind, with the label or name.
  var key: String {
    switch self {
    case .main: "main"
    case .mainActor: "mainActor"
    case .queue(let label): "queue:\(label)"
    case .actor(let name): "actor:\(name)"
    case .thread(let name): "thread:\(name)"
    case .eventLoop: "eventLoop"
    case .owner: "owner"
    case .context: "context"
    case .executor: "executor"
    }
  }

  /// The name, for use within a sentence.
  var words: String {
    switch self {
    case .main: "the main queue"
    case .mainActor: "the main actor"
    case .queue(let label): label.isEmpty ? "an unnamed queue" : "queue \(label)"
    case .actor(let name): "actor \(name)"
    case .thread(let name): "thread “\(name)”"
    case .eventLoop(let name): name.isEmpty ? "its event loop" : "event loop “\(name)”"
    case .owner: "the thread that owns the object"
    case .context: "the queue of its managed object context"
    case .executor: "another executor"
    }
  }
}

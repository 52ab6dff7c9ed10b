/// Where an affinity says that code runs.
enum Home: Hashable, Sendable {
  case main
  case queue(String)
  case actor(String)
  /// A thread, by the name of its affinity.
  case thread(String)

  /// - Parameter expected: what a violation expected, as it is recorded; nil where that is no place:
  ///   an answer that did not come in time is a violation, too.
  init?(expected: String) {
    switch expected {
    case "main queue", "main actor": self = .main
    case "a queue or an actor": return nil
    case _ where expected.hasPrefix("an answer on "): return nil
    case _ where expected.hasPrefix("queue "): self = .queue(String(expected.dropFirst(6)))
    case _ where expected.hasPrefix("actor "): self = .actor(String(expected.dropFirst(6)))
    default:
      // The id of the thread is another one in each run.
      let name = expected.range(of: " (thread ").map { expected[..<$0.lowerBound] }
      self = .thread(String(name ?? expected[...]))
    }
  }

  /// What tells it from others in a fingerprint, whatever sentences call it.
  var key: String {
    switch self {
    case .main: "main"
    case .queue(let label): "queue:\(label)"
    case .actor(let name): "actor:\(name)"
    case .thread(let name): "thread:\(name)"
    }
  }

  /// As a sentence has it.
  var words: String {
    switch self {
    case .main: "the main queue"
    case .queue(let label): label.isEmpty ? "an unnamed queue" : "queue \(label)"
    case .actor(let name): "actor \(name)"
    case .thread(let name): "thread “\(name)”"
    }
  }
}

import IncidentModel

/// How findings name things to people.
enum Words {
  /// A function as a sentence has it: a closure by where it was written.
  static func name(_ place: CodePlace) -> String {
    let name = FunctionName(place.function)
    let position = place.shortPosition.map { " (\($0))" } ?? ""
    guard name.isClosure else {
      return place.function + (place.function.isEmpty ? "code" : "") + position
    }
    return "the closure in \(name.written)\(position)"
  }

  /// The same at the beginning of a sentence.
  static func capitalized(_ text: String) -> String {
    text.hasPrefix("the ") ? "The" + text.dropFirst(3) : text
  }

  /// A thread by its number and its name. Dispatch's workers bear the end of a queue's label, as far as
  /// the kernel has room for it: `oot.default-qos`.
  static func thread(_ number: Int, _ name: String) -> String {
    if name.isEmpty { return "thread \(number)" }
    return isWorker(name) ? "thread \(number) (Dispatch worker)" : "thread \(number) “\(name)”"
  }

  /// What a place was recorded as, `queue net (thread 41 "-qos.overcommit")`, with its thread as above.
  static func place(_ recorded: String) -> String {
    recorded.split(separator: "\"", omittingEmptySubsequences: false).enumerated().reduce("") {
      whole, part in
      if part.offset % 2 == 0 { return whole + part.element }
      if isWorker(String(part.element)), whole.hasSuffix(" ") {
        return whole.dropLast() + ", Dispatch worker"
      }
      return whole + "“\(part.element)”"
    }
  }

  private static func isWorker(_ name: String) -> Bool {
    name.count >= 10 && (name.hasSuffix("-qos") || name.hasSuffix("-qos.overcommit"))
  }

  static let unnamedQueue = "a queue that the report does not name"

  static func queue(_ label: String?) -> String {
    switch label {
    case nil: "no queue"
    case ""?: "an unnamed queue"
    case "com.apple.main-thread"?: "the main queue"
    case let label?: "queue \(label)"
    }
  }
}

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

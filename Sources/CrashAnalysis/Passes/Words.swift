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

  /// A duration with a unit that suits it.
  static func duration(_ nanoseconds: UInt64) -> String {
    let value = Double(nanoseconds)
    if value < 1e3 { return "\(nanoseconds) ns" }
    if value < 1e6 { return "\(rounded(value / 1e3)) µs" }
    if value < 1e9 { return "\(rounded(value / 1e6)) ms" }
    return value < 120e9 ? "\(rounded(value / 1e9)) s" : "\(rounded(value / 60e9)) min"
  }

  private static func rounded(_ value: Double) -> String {
    if value >= 100 { return "\(Int(value.rounded()))" }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}

/// The author's choices, by the names of requirements.
struct Choices {
  /// The values for callers if the target does not answer.
  var defaults: [String: String] = [:]
  /// The number of seconds that a caller waits for an answer.
  var waits: [String: String] = [:]
  /// The requirements of which only the newest call is delivered.
  var latest: Set<String> = []

  /// Throws an error if a name matches no requirement, or several requirements with different
  /// titles.
  func check(against requirements: [Requirement]) throws {
    for name in Set(defaults.keys).union(waits.keys).union(latest).sorted() {
      let titles = Set(requirements.filter { $0.isCalled(name) }.map(\.title))
      if titles.isEmpty { throw Refusal("the protocol has no requirement \(name)") }
      if titles.count > 1 {
        throw Refusal("\(name) is ambiguous: it matches \(titles.sorted().joined(separator: ", "))")
      }
    }
  }

  func `default`(for requirement: Requirement) -> String? {
    defaults.first { requirement.isCalled($0.key) }?.value
  }

  func wait(for requirement: Requirement) -> String? {
    waits.first { requirement.isCalled($0.key) }?.value
  }

  func isLatest(_ requirement: Requirement) -> Bool { latest.contains(where: requirement.isCalled) }
}

extension Requirement {
  /// True if `name` in an option refers to this requirement.
  func isCalled(_ name: String) -> Bool { name == title || name == baseName }
}

/// The destination of a shim's calls.
enum Destination: String { case main, queue }

/// The default values of types that have only one reasonable default.
enum KnownDefault {
  static func value(of type: String) -> String? {
    if type == "(any Error)?" || type == "any Error" { return "CancellationError()" }
    if type.hasSuffix("?") || type.hasSuffix("!") || type.hasPrefix("Optional<") { return "nil" }
    if type.hasPrefix("[") && type.hasSuffix("]") { return type.contains(" : ") ? "[:]" : "[]" }
    if type.hasPrefix("Dictionary<") { return "[:]" }
    if type.hasPrefix("Array<") || type.hasPrefix("Set<") { return "[]" }
    if type.hasPrefix("Result<") && type.hasSuffix("any Error>") {
      return ".failure(CancellationError())"
    }
    return known[type]
  }

  private static let known = [
    "Void": "()", "()": "()",
    "URLSession.AuthChallengeDisposition": ".performDefaultHandling",
    "URLSession.DelayedRequestDisposition": ".cancel",
    "URLSession.ResponseDisposition": ".cancel",
  ]
}

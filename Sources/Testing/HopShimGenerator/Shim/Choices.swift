/// The author's choices for requirements, by their names.
struct Choices {
  /// The answers for callers if the target gives none.
  var defaults: [String: String] = [:]
  /// How many seconds the caller waits for an answer.
  var waits: [String: String] = [:]
  /// Of these only the newest call is delivered.
  var latest: Set<String> = []

  /// Refuses names that fit no requirement, or several that differ by name.
  func check(against requirements: [Requirement]) throws {
    for name in Set(defaults.keys).union(waits.keys).union(latest).sorted() {
      let titles = Set(requirements.filter { $0.isCalled(name) }.map(\.title))
      if titles.isEmpty { throw Refusal("there is no requirement \(name)") }
      if titles.count > 1 {
        throw Refusal("\(name) could be any of \(titles.sorted().joined(separator: ", "))")
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
  /// Whether an option means this requirement when it says `name`.
  func isCalled(_ name: String) -> Bool { name == title || name == baseName }
}

/// The destination of the calls of a shim.
enum Destination: String { case main, queue }

/// The default answer of a type that has only one reasonable answer.
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

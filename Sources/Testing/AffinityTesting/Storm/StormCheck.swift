/// A check of a scenario, with its source location.
struct StormCheck<Holds: Sendable>: Sendable {
  let name: String
  private let place: String
  let holds: Holds

  init(_ name: String, at fileID: StaticString, _ line: UInt, _ holds: Holds) {
    self.name = name
    place = "\n  checked at \(fileID):\(line)"
    self.holds = holds
  }

  /// The message of a check that does not hold.
  var doesNotHold: String { "“\(name)” does not hold\(place)" }

  /// The message of a check that does not finish in time.
  func doesNotAnswer(within patience: String) -> String {
    "the check “\(name)” did not finish within \(patience)\(place)"
  }
}

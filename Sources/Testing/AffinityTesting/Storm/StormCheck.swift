/// A check of a scenario's, and where it stands in the test.
struct StormCheck<Holds: Sendable>: Sendable {
  let name: String
  private let place: String
  let holds: Holds

  init(_ name: String, at fileID: StaticString, _ line: UInt, _ holds: Holds) {
    self.name = name
    place = "\n  checked at \(fileID):\(line)"
    self.holds = holds
  }

  /// What a failed test says where it does not hold.
  var doesNotHold: String { "“\(name)” does not hold\(place)" }

  /// What a failed test says where it says nothing for so long.
  func doesNotAnswer(within patience: String) -> String {
    "“\(name)” did not answer within \(patience)\(place)"
  }
}

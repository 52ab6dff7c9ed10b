import ThreadAffinity

/// A failure in the course of a schedule.
struct StormFailure: Sendable {
  /// The reason of the failure. Its text is made only when it is printed, because that looks up the names of
  /// all functions on a stack.
  private enum Reason: Sendable {
    case text(String)
    case violation(CaughtViolation)
  }

  /// A key that is equal for the same bug, independent of the schedule.
  let key: String
  /// The number of the step that it showed at, from 0.
  let step: Int
  /// Whether a thread or the main queue did not come back, so that this process plays no more.
  let isStuck: Bool
  private let reason: Reason

  init(key: String, text: String, step: Int, isStuck: Bool = false) {
    self.key = key
    self.step = step
    self.isStuck = isStuck
    reason = .text(text)
  }

  init(_ violation: CaughtViolation, step: Int) {
    let site = violation.violation.site.map { "\($0)" } ?? violation.violation.message
    key = "\(violation.violation.expected) \(site)"
    self.step = step
    isStuck = false
    reason = .violation(violation)
  }

  /// A violation without a known sender: it may belong to another test that runs in parallel.
  var doubtful: CaughtViolation? {
    if case .violation(let violation) = reason, !violation.isOwn { return violation }
    return nil
  }

  /// The message of a failed test.
  var text: String {
    switch reason {
    case .text(let text): text
    case .violation(let violation): "\(violation)"
    }
  }
}

extension StormFailure: Codable {
  private enum CodingKeys: CodingKey { case key, text, step, isStuck }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      key: try values.decode(String.self, forKey: .key),
      text: try values.decode(String.self, forKey: .text),
      step: try values.decode(Int.self, forKey: .step),
      isStuck: try values.decode(Bool.self, forKey: .isStuck))
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(key, forKey: .key)
    try values.encode(text, forKey: .text)
    try values.encode(step, forKey: .step)
    try values.encode(isStuck, forKey: .isStuck)
  }
}

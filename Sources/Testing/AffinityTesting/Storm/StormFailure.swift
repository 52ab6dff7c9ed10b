import ThreadAffinity

/// A failure that a schedule shows.
struct StormFailure: Sendable {
  /// The reason of the failure. A violation becomes text only when it is printed, because its stack
  /// must then be symbolicated.
  private enum Reason: Sendable {
    case text(String)
    case violation(CaughtViolation)
  }

  /// A key for the bug: the expected place and the source location of a violation, or the message
  /// of any other failure.
  let key: String
  /// The index of the step at which the failure occurred.
  let step: Int
  /// True if a thread or the main queue is blocked, so that this process cannot play another
  /// schedule.
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

  /// The violation if its sender is unknown; such a violation may belong to a test that runs in
  /// parallel.
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

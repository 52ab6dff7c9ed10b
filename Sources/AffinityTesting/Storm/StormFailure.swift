import ThreadAffinity

/// What went wrong in the course of a schedule.
struct StormFailure: Sendable, Codable {
  /// The same for the same bug, however it is provoked.
  let key: String
  let text: String
  /// The number of the step that it showed at, from 0.
  let step: Int

  init(key: String, text: String, step: Int) {
    self.key = key
    self.text = text
    self.step = step
  }

  init(_ violation: CaughtViolation, step: Int) {
    let site = violation.violation.site.map { "\($0)" } ?? violation.violation.message
    self.init(
      key: "\(violation.violation.expected) \(site)", text: "\(violation)", step: step)
  }
}

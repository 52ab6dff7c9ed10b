import IncidentModel

/// The key of a finding: all occurrences in an input with the same key are one finding.
struct FindingKey: Hashable {
  let rule: String
  let identity: Int

  init(_ rule: String, _ parts: Int...) {
    self.rule = rule
    identity = parts.hashValue
  }
}

/// A finding whose occurrences are still being counted.
struct PendingFinding {
  var finding: Finding
  let fingerprint: String
  var count: Int
  /// The time of the first and last occurrence.
  var span: WallSpan
  /// The indices of the first events at which the finding occurred.
  private(set) var events: [Int] = []

  private static let most = 1000

  init(finding: Finding, fingerprint: String, count: Int) {
    self.finding = finding
    self.fingerprint = fingerprint
    self.count = count
    span = WallSpan(finding.wall)
  }

  mutating func occurred(at event: Int) {
    if events.count < Self.most, events.last != event { events.append(event) }
  }
}

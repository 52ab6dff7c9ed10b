import IncidentModel

/// Judges many recordings together, by what is kept of each.
protocol FleetRule: Sendable {
  static var about: RuleDescription { get }

  /// - Parameter logs: every recording, in an order that does not depend on how they were merged.
  static func judge(_ logs: [RecordingSummary]) -> [Finding]
}

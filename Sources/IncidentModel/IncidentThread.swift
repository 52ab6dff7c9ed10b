/// A thread that took part in an incident.
package struct IncidentThread: Hashable, Sendable {
  /// Tells it from all other threads of the incident, also from one that had its kernel id before.
  package var ordinal: Int
  package var kernelID: Int
  /// Empty where it has none.
  package var name: String

  package init(ordinal: Int, kernelID: Int, name: String) {
    self.ordinal = ordinal
    self.kernelID = kernelID
    self.name = name
  }
}

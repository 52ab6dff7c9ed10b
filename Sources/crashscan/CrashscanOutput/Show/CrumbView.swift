import IncidentModel

/// A way to write a log's crumbs, one after the other.
package protocol CrumbView {
  /// What comes before the crumbs.
  mutating func begin(_ incident: Incident) -> String

  /// Takes note of threads, queues and modules that the next crumbs may mention.
  mutating func learn(_ incident: Incident, showing crumbs: [Crumb])

  /// A crumb, with what belongs below it.
  mutating func crumb(_ crumb: Crumb) -> String

  /// What comes after the crumbs: how the run ended, and what is missing.
  mutating func end(_ incident: Incident) -> String
}

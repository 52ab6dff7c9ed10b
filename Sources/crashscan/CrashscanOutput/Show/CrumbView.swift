import IncidentModel

/// A way to write a log's crumbs, one after the other.
package protocol CrumbView {
  /// The output before the crumbs.
  mutating func begin(_ incident: Incident) -> String

  /// Takes note of threads, queues and modules that the next crumbs may mention.
  mutating func learn(_ incident: Incident, showing crumbs: [Crumb])

  /// A crumb, with the lines that belong below the crumb.
  mutating func crumb(_ crumb: Crumb) -> String

  /// The output after the crumbs: the ending of the run, and missing data.
  mutating func end(_ incident: Incident) -> String
}

import IncidentModel

/// A writer of a log's crumbs, called for one crumb after another.
package protocol CrumbView {
  /// Returns the output before the crumbs.
  mutating func begin(_ incident: Incident) -> String

  /// Receives the threads, queues and modules to which the next crumbs may refer.
  mutating func learn(_ incident: Incident, showing crumbs: [Crumb])

  /// Returns a crumb, with the lines below it.
  mutating func crumb(_ crumb: Crumb) -> String

  /// Returns the output after the crumbs: the ending of the run, and missing data.
  mutating func end(_ incident: Incident) -> String
}

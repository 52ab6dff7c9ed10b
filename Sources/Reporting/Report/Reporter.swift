import CrashAnalysis

/// Writes a report in one format.
package protocol Reporter: Sendable {
  /// The whole report; it ends with a line break unless it is empty.
  func write(_ report: Report) -> String
}

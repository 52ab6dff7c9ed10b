/// The options of a run.
package struct TestRunOptions: Sendable {
  /// The number of seconds without an event after which a test process is examined.
  package var timeout: Double
  /// The number of seconds without an event after which a test process counts as hung, even if it
  /// uses the processor or waits with a time limit.
  package var limit: Double
  /// The number of processors for the test processes; nil for all.
  package var pool: Int?
  /// The maximum number of reruns of a failed test.
  package var retries: Int
  /// True if tests without a result are run again after a crash or a hang.
  package var reruns: Bool
  /// The path of the library to preload.
  package var library: String
  /// An existing directory for the files of the run.
  package var directory: String

  package init(
    timeout: Double, limit: Double, pool: Int?, retries: Int, reruns: Bool, library: String,
    directory: String
  ) {
    self.timeout = timeout
    self.limit = limit
    self.pool = pool
    self.retries = retries
    self.reruns = reruns
    self.library = library
    self.directory = directory
  }
}

/// Explains crashes and hangs for a supervisor, and writes messages to the user.
package protocol TestRunReporting {
  /// Returns the report on the crash in a log; nil if the log has no crash.
  func explainCrash(log: String) -> Explanation?
  /// Returns the report on a running process that does not respond.
  func explainHang(process: Int) -> Explanation
  /// Writes one line to the user.
  func say(_ line: String)
  /// Writes a report to the user.
  func show(_ report: String)
  /// Shows the progress of the run on a terminal.
  func showProgress(_ line: @autoclosure () -> String)
}

import IncidentModel

/// The options of an analysis.
package struct AnalysisOptions: Sendable {
  /// The rules to run; nil for all rules.
  package var only: Set<String>?
  package var ignored: Set<String> = []
  package var patterns = UIPatterns.builtIn
  package var thresholds = Thresholds()
  /// The exit status that the parent process received, in a shell's encoding; nil if unknown.
  package var exitStatus: Int?
  /// True to read source files even if they are newer than the program.
  package var trustsSources = false

  package init() {}

  func allows(_ rule: String) -> Bool {
    !ignored.contains(rule) && (only?.contains(rule) ?? true)
  }
}

/// The thresholds of the rules, in nanoseconds unless stated otherwise.
package struct Thresholds: Sendable {
  /// The duration from which a held main queue is reported.
  package var mainBlocked: UInt64 = 250_000_000
  /// The delay from which a hop is late, however fast other hops are.
  package var slowHop: UInt64 = 100_000_000
  /// The time for which a call must have waited at the end of the run to count as undelivered.
  package var undelivered: UInt64 = 2_000_000_000
  /// The number of hops from one place within `stormWindow` that make a storm.
  package var stormHops = 50
  package var stormWindow: UInt64 = 100_000_000
  /// The maximum time between a lifecycle transition and the start of a background task that
  /// belongs to it.
  package var nearTransition: UInt64 = 10_000_000_000
  /// The time that a background task may take to end after it has expired.
  package var expiredGrace: UInt64 = 100_000_000
  /// The time before the end of a run within which a violation counts as near the end.
  package var nearEnd: UInt64 = 10_000_000_000
  /// The time after a request to end from which a running process is late. The recorder lists the
  /// waiting tasks after the same time.
  package var slowShutdown: UInt64 = 5_000_000_000
  /// The duration below which a crashed run counts towards a crash loop.
  package var shortRun: UInt64 = 120_000_000_000
  /// The number of consecutive short runs that make a crash loop.
  package var loopRuns = 3

  package init() {}
}

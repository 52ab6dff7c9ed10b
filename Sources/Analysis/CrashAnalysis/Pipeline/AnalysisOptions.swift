import IncidentModel

/// The options of an analysis.
package struct AnalysisOptions: Sendable {
  /// The rules that may speak; nil for all.
  package var only: Set<String>?
  package var ignored: Set<String> = []
  package var patterns = UIPatterns.builtIn
  package var thresholds = Thresholds()
  /// The exit status as the parent process got it, in a shell's numbers; nil if it is not known.
  package var exitStatus: Int?

  package init() {}

  func allows(_ rule: String) -> Bool {
    !ignored.contains(rule) && (only?.contains(rule) ?? true)
  }
}

/// From where on something counts, in nanoseconds unless said otherwise.
package struct Thresholds: Sendable {
  /// The main queue is held for too long.
  package var mainBlocked: UInt64 = 250_000_000
  /// A hop is late however fast the others are.
  package var slowHop: UInt64 = 100_000_000
  /// So many hops of one place within `stormWindow` are a storm.
  package var stormHops = 50
  package var stormWindow: UInt64 = 100_000_000
  /// A background task begun within this time of the transition belongs to it.
  package var nearTransition: UInt64 = 10_000_000_000
  /// A background task may take this long to end once it has expired.
  package var expiredGrace: UInt64 = 100_000_000
  /// How far back from the end a violation still counts as near.
  package var nearEnd: UInt64 = 10_000_000_000
  /// A run shorter than this that ends in a crash is part of a crash loop.
  package var shortRun: UInt64 = 120_000_000_000
  /// So many short runs in a row are a crash loop.
  package var loopRuns = 3

  package init() {}
}

/// A hang that a system tells of in its own words.
package struct ToldHang: Hashable, Sendable {
  package let title: String
  /// The next step to learn more.
  package let advice: String

  package init(title: String, advice: String) {
    self.title = title
    self.advice = advice
  }
}

/// What a log's header says of its run beside how it ended.
package struct RunSigns: Hashable, Sendable {
  /// Whether a crash handler recorded: a crash would then be on file. Nil where that is not known.
  package var hasCrashHandler: Bool?
  /// The status with which the process called `exit`, or returned from its main function.
  package var exitStatus: Int?
  /// Whether the process itself takes the signal that asked it to end, which then does not end it.
  package var takesAsk = false
  /// The last time a watch of the process's own was seen to run, in nanoseconds of the monotonic clock and
  /// since 1970; it looks once a second at least. Nil where there was none.
  package var aliveMonotonic: UInt64?
  package var aliveWall: UInt64?
  /// What did not answer to the last; nil where everything did.
  package var hanging: WatchedKind?

  /// How long the main thread did not answer, in nanoseconds, where a report tells of a hang and its stacks do not
  /// show what held it; 0 where it does not tell how long, nil where it tells of none.
  package var unexplainedHang: UInt64?

  /// The hang that a system reports without stacks.
  package var toldHang: ToldHang?

  /// The report's own statement that its threads wait for each other; nil if it has none.
  package var standstill: String?

  /// True if a report tells of a failure and nothing in it shows that the process ended.
  package var isSurvived = false

  /// The kind of race that a sanitizer saw between the threads of a report; nil for any other report.
  package var toldRace: String?

  /// True if a report shows all threads and names no owners of locks.
  package var hasUntoldLocks = false

  /// Whether a report says that the process was in the background, and not when it went there.
  package var isInBackground = false

  package init() {}

  /// What hangs, as a log's header numbers it.
  package mutating func setHanging(number: UInt64) {
    let kinds = WatchedKind.allCases
    hanging = number < UInt64(kinds.count) ? kinds[Int(number)] : nil
  }
}

/// A hang that another system reports as a text.
package struct ToldHang: Hashable, Sendable {
  package let title: String
  /// The next step to learn more.
  package let advice: String
  /// The function that the report holds responsible; nil if the report names none.
  package let function: String?

  package init(title: String, advice: String, function: String? = nil) {
    self.title = title
    self.advice = advice
    self.function = function
  }
}

/// A pool of a report all of whose threads wait below the same function.
package struct StarvedPool: Hashable, Sendable {
  package let name: String
  /// The ordinals of the threads.
  package let threads: [Int]

  package init(name: String, threads: [Int]) {
    self.name = name
    self.threads = threads
  }
}

/// The state of the search for a kill for lack of memory. The next run at the same path compares the
/// counts of such kills in its control group.
package enum MemoryKills: Hashable, Sendable {
  /// No counts can be compared.
  case unknown
  /// The log has the count at the start of its run, and no later run has compared it yet.
  case awaitNextRun
  /// The next run found no more kills than before.
  case none
}

/// The facts about a run in its log's header, besides the ending.
package struct RunSigns: Hashable, Sendable {
  /// True if a crash handler was installed, so that a crash would have been recorded; nil if
  /// unknown.
  package var hasCrashHandler: Bool?
  /// True if a library that `crashscan run` preloaded wrote the log without a crash handler.
  package var isOfCrashscan = false
  /// The status with which the process called `exit`, or returned from its main function.
  package var exitStatus: Int?
  /// True if the process handles the termination signal itself, so that the signal does not end it.
  package var takesAsk = false
  /// The state of the search for a kill for lack of memory.
  package var memoryKills = MemoryKills.unknown
  /// The last time at which the process's own watchdog ran, in nanoseconds of the monotonic clock
  /// and since 1970. The watchdog runs at least once a second. Nil if the process had no watchdog.
  package var aliveMonotonic: UInt64?
  package var aliveWall: UInt64?
  /// The watched executor that did not respond at the end; nil if all responded.
  package var hanging: WatchedKind?

  /// The features of the recorder that the process's build, kernel or container took away, as
  /// phrases.
  package var missingFeatures: [String] = []

  /// The duration of a reported hang of the main thread in nanoseconds, if the report's stacks do
  /// not show the cause; 0 if the report gives no duration, nil if it reports no hang.
  package var unexplainedHang: UInt64?

  /// The hang that a system reports without stacks.
  package var toldHang: ToldHang?

  /// The pool of a report whose stacks show no free thread; nil for other reports.
  package var starvedPool: StarvedPool?

  /// The report's own statement that threads wait for each other; nil if the report has no such
  /// statement.
  package var standstill: String?

  /// True if a report describes a failure but does not show that the process ended.
  package var isSurvived = false

  /// The kind of race that a sanitizer saw between the threads of a report; nil for any other
  /// report.
  package var toldRace: String?
  /// The tool that saw the race, as the beginning of a sentence.
  package var toldRaceBy = ""

  /// True if a report shows all threads but not the owners of locks.
  package var hasUntoldLocks = false

  /// True if a report says that the process was in the background, but not since when.
  package var isInBackground = false

  package init() {}

  /// Sets `hanging` from the number in a log's header.
  package mutating func setHanging(number: UInt64) {
    let kinds = WatchedKind.allCases
    hanging = number < UInt64(kinds.count) ? kinds[Int(number)] : nil
  }
}

import IncidentModel

/// Over which hosts, releases and days something is spread.
package struct Distribution: Sendable {
  package struct Release: Sendable, Hashable {
    /// Empty for runs that did not say theirs.
    package var name: String
    package var logs: Int
    /// How often the programs that have it were started in this release.
    package var starts: Int
  }

  /// A day of UTC.
  package struct Day: Sendable, Hashable {
    /// Counted from the first of 1970.
    package var number: UInt64
    package var logs: Int
    package var count: Int
  }

  package private(set) var logs = 0
  /// How often the programs that have it were started.
  package private(set) var starts = 0
  /// By name, in order.
  package private(set) var hosts: [String] = []
  package private(set) var releases: [Release] = []
  package private(set) var span = WallSpan(0)
  /// In how many recordings, and how often, it began to occur on each day, in order; days without are left out.
  package private(set) var days: [Day] = []

  private static let nanosecondsOfADay: UInt64 = 86_400_000_000_000

  /// - Parameter occurrences: At most one of each recording.
  init(of occurrences: [Fleet.Occurrence], in census: StartCounts) {
    var programs: Set<String> = []
    var names: Set<String> = []
    var runs: [String: Int] = [:]
    var days: [UInt64: Day] = [:]
    for occurrence in occurrences {
      let recording = census.recordings[occurrence.place]
      programs.insert(recording.executable)
      if let host = recording.host { names.insert(host) }
      runs[recording.release ?? "", default: 0] += 1
      span.extend(to: occurrence.span)
      guard occurrence.span.first > 0 else { continue }
      let number = occurrence.span.first / Self.nanosecondsOfADay
      var day = days[number] ?? Day(number: number, logs: 0, count: 0)
      day.logs += 1
      let (sum, isBeyond) = day.count.addingReportingOverflow(occurrence.count)
      day.count = isBeyond ? .max : sum
      days[number] = day
    }
    logs = occurrences.count
    starts = census.starts(of: programs)
    hosts = names.sorted()
    releases = runs.sorted { $0.key < $1.key }.map { name, logs in
      Release(name: name, logs: logs, starts: census.starts(of: programs, release: name))
    }
    self.days = days.values.sorted { $0.number < $1.number }
  }
}

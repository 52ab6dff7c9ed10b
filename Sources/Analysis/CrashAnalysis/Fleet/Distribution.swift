import IncidentModel

/// The hosts, releases and days over which a finding or the recordings are spread.
package struct Distribution: Sendable {
  package struct Release: Sendable, Hashable {
    /// The release's name; empty for runs that did not record a release.
    package var name: String
    package var logs: Int
    /// The number of starts, in this release, of the programs that have the finding.
    package var starts: Int
  }

  /// A UTC day.
  package struct Day: Sendable, Hashable {
    /// The day's number: the days since 1 January 1970.
    package var number: UInt64
    package var logs: Int
    package var count: Int
  }

  package private(set) var logs = 0
  /// The number of starts of the programs that have the finding.
  package private(set) var starts = 0
  /// The names of the hosts, sorted.
  package private(set) var hosts: [String] = []
  package private(set) var releases: [Release] = []
  package private(set) var span = WallSpan(0)
  /// The days on which the finding began, ascending: for each day, the number of recordings and the
  /// total count. Days without any are omitted.
  package private(set) var days: [Day] = []

  private static let nanosecondsOfADay: UInt64 = 86_400_000_000_000

  /// Creates the distribution of a finding.
  ///
  /// - Parameter occurrences: At most one occurrence per recording.
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

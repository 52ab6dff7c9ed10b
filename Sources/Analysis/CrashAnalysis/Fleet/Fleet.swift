import IncidentModel

/// A summary of many hosts' logs: new findings, and the hosts and releases of each.
package struct Fleet: Sendable {
  package static let schema = "crashscan-fleet/1"

  /// A finding with its occurrences and their distribution.
  package struct Entry: Sendable {
    package var entry: Report.Entry
    package var occurrences: [Occurrence]
    package var spread: Distribution
  }

  /// A finding in one recording.
  package struct Occurrence: Sendable {
    /// The index of the recording.
    package var place: Int
    package var count: Int
    package var span: WallSpan
  }

  /// The runs that ended in one kind of death.
  package struct Deaths: Sendable {
    package var kind: String
    package var name: String
    package var spread: Distribution
  }

  /// The findings, of any title, whose culprit is in one function.
  package struct Culprit: Sendable {
    package var function: String
    package var module: String
    package var entries: [Report.Entry]
    package var spread: Distribution
  }

  /// The numbers of recordings with missing parts, by the kind of loss.
  package struct Gaps: Sendable {
    package var torn = 0
    package var dropped = 0
    package var overwritten = 0
    package var unnamed = 0
  }

  package let report: Report
  package let entries: [Entry]
  package let deaths: [Deaths]
  package let culprits: [Culprit]
  package let gaps: Gaps
  /// The distribution of all recordings.
  package let spread: Distribution

  package init(_ report: Report) {
    self.report = report
    let census = StartCounts(report.recordings)
    entries = report.entries.map { entry in
      let occurrences = entry.places.map { Self.occurrence(of: entry, at: $0, in: report) }
      return Entry(
        entry: entry, occurrences: occurrences, spread: Distribution(of: occurrences, in: census))
    }
    deaths = Self.deaths(census)
    culprits = Self.culprits(entries, census)
    gaps = Self.gaps(report.recordings)
    spread = Distribution(of: report.recordings.indices.map { Self.whole($0, report) }, in: census)
  }

  /// Returns a whole recording, from start to end, as an occurrence.
  private static func whole(_ place: Int, _ report: Report) -> Occurrence {
    let recording = report.recordings[place]
    return Occurrence(
      place: place, count: 1, span: WallSpan(recording.opened, recording.lastSeen))
  }

  private static func occurrence(
    of entry: Report.Entry, at place: Int, in report: Report
  ) -> Occurrence {
    let recording = report.recordings[place]
    var occurrence = whole(place, report)
    // A rule that compares many runs has no count per recording.
    guard let count = recording.counts[entry.fingerprint] else { return occurrence }
    occurrence.count = max(0, count)
    if let spans = recording.spans { occurrence.span = spans[entry.fingerprint] ?? WallSpan(0) }
    return occurrence
  }

  private static func deaths(_ census: StartCounts) -> [Deaths] {
    var kinds: [String: (name: String, occurrences: [Occurrence])] = [:]
    for (place, recording) in census.recordings.enumerated() {
      guard let death = recording.death else { continue }
      let name = min(kinds[death.kind]?.name ?? death.name, death.name)
      let span = WallSpan(recording.lastSeen)
      kinds[death.kind, default: ("", [])].name = name
      kinds[death.kind]?.occurrences.append(Occurrence(place: place, count: 1, span: span))
    }
    return kinds.map { kind, runs in
      Deaths(kind: kind, name: runs.name, spread: Distribution(of: runs.occurrences, in: census))
    }.sorted { ($1.spread.logs, $0.kind) < ($0.spread.logs, $1.kind) }
  }

  private static func culprits(_ entries: [Entry], _ census: StartCounts) -> [Culprit] {
    var places: [[String]: [Entry]] = [:]
    for entry in entries {
      guard let culprit = entry.entry.finding.culprit, !culprit.function.isEmpty else { continue }
      places[[culprit.function, culprit.module], default: []].append(entry)
    }
    let shared = places.filter { Set($0.value.map(\.entry.finding.title)).count > 1 }
    return shared.map { place, entries in
      var runs: [Int: Occurrence] = [:]
      for occurrence in entries.flatMap(\.occurrences) {
        runs[occurrence.place, default: occurrence].span.extend(to: occurrence.span)
      }
      return Culprit(
        function: place[0], module: place[1], entries: entries.map(\.entry),
        spread: Distribution(of: runs.keys.sorted().map { runs[$0]! }, in: census))
    }.sorted {
      ($1.spread.logs, $0.function, $0.module) < ($0.spread.logs, $1.function, $1.module)
    }
  }

  private static func gaps(_ recordings: [RecordingSummary]) -> Gaps {
    recordings.compactMap(\.gaps).reduce(into: Gaps()) { sum, gaps in
      if gaps.isTorn { sum.torn += 1 }
      if gaps.dropped > 0 { sum.dropped += 1 }
      if gaps.overwritten > 0 { sum.overwritten += 1 }
      if !gaps.unnamed.isEmpty { sum.unnamed += 1 }
    }
  }
}

import IncidentModel

/// The input of a reporter: the findings of a summary in reading order.
package struct Report: Sendable {
  package static let schema = "crashscan-report/3"

  /// A finding, combined with its occurrences.
  package struct Entry: Sendable {
    package var finding: Finding
    package var fingerprint: String
    package var count: Int
    /// The number of affected recordings.
    package var recordings: Int
    /// Indices of the affected recordings, ascending.
    package var places: [Int]
    /// True if an earlier report, the baseline, contains the finding.
    package var isInBaseline: Bool
    /// True if an allowance covers the finding.
    package var isAllowed: Bool

    /// True if the finding does not count.
    package var isKnown: Bool { isInBaseline || isAllowed }
  }

  package var recordings: [RecordingSummary]
  /// The identities of the recordings, to which findings refer.
  package var identities: [String]
  /// The indices of the recordings of earlier runs, which were read only because a recorder kept
  /// their logs beside a named one; newest first.
  package var earlier: [Int]
  package var entries: [Entry]
  /// The inputs that could not be read completely, with the reasons.
  package var unread: [(input: String, why: String)]

  /// Creates a report from a summary.
  ///
  /// - Parameters:
  ///   - summary: The findings.
  ///   - named: The part of the summary that is from the inputs that the user named. Their findings
  ///     lead, with examples from these inputs; nil if the user named every input.
  ///   - options: The rules to apply across recordings.
  ///   - baseline: The fingerprints of known findings.
  ///   - allowed: The allowances, whose findings do not count.
  package init(
    _ summary: Summary, named: Summary? = nil, options: AnalysisOptions = AnalysisOptions(),
    baseline: Set<String> = [], allowed: [Allowance] = []
  ) {
    func entry(
      _ finding: Finding, _ fingerprint: String, _ count: Int, _ recordings: Int, _ places: [Int]
    ) -> Entry {
      Entry(
        finding: finding, fingerprint: fingerprint, count: count, recordings: recordings,
        places: places,
        isInBaseline: baseline.contains(fingerprint),
        isAllowed: allowed.contains { $0.covers(finding) })
    }
    let summary = summary.withSameCrashesTogether().withoutReportsOnLoggedCrashes()
    let logs = summary.logs.sorted {
      ($0.value.opened, $0.value.input, $0.key) < ($1.value.opened, $1.value.input, $1.key)
    }
    recordings = logs.map(\.value)
    identities = logs.map(\.key)
    earlier = logs.indices.reversed().filter { named != nil && named?.logs[logs[$0].key] == nil }
    let examples = summary.examples.merging(named?.examples ?? [:]) { $1 }
    unread = (summary.unread ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    var counts: [String: (count: Int, places: [Int])] = [:]
    for (place, log) in recordings.enumerated() {
      for (fingerprint, count) in log.counts {
        // A summary file may contain any numbers, so the sum may overflow.
        let sum = counts[fingerprint, default: (0, [])].count.addingReportingOverflow(max(0, count))
        counts[fingerprint, default: (0, [])].count = sum.overflow ? .max : sum.partialValue
        counts[fingerprint, default: (0, [])].places.append(place)
      }
    }
    entries = counts.compactMap { fingerprint, total in
      examples[fingerprint].map {
        entry($0, fingerprint, total.count, total.places.count, total.places)
      }
    }
    entries += RuleBook.fleetRules.filter { options.allows($0.about.id) }.flatMap { rule in
      rule.judge(recordings).map {
        entry($0.finding, $0.finding.fingerprint, $0.count, $0.count, $0.places)
      }
    }
    entries = entries.filter { options.allows($0.finding.rule) }.sorted(by: Self.isBefore)
    entries = entries.filter { !isEarlier($0) } + entries.filter(isEarlier)
  }

  /// Creates a report on findings that are from no recording, in their order.
  package init(
    findings: [Finding], unread: [(input: String, why: String)], baseline: Set<String>,
    allowed: [Allowance]
  ) {
    (recordings, identities, earlier, self.unread) = ([], [], [], unread)
    entries = findings.map { finding in
      let fingerprint = finding.fingerprint
      return Entry(
        finding: finding, fingerprint: fingerprint, count: 1, recordings: 0, places: [],
        isInBaseline: baseline.contains(fingerprint),
        isAllowed: allowed.contains { $0.covers(finding) })
    }
  }

  /// The worst severity of new findings; nil without new findings.
  package var worst: Severity? { entries.filter { !$0.isKnown }.map(\.finding.severity).max() }

  /// True if only earlier runs have the finding.
  package func isEarlier(_ entry: Entry) -> Bool {
    !earlier.isEmpty && entry.places.allSatisfy(earlier.contains)
  }

  /// True if the finding explains the end of one run or of many.
  private static func isOfEnd(_ finding: Finding) -> Bool {
    finding.isVerdict || finding.rule == CrashLoop.about.id
  }

  private static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
    let ends = (isOfEnd(one.finding), isOfEnd(other.finding))
    if ends.0 != ends.1 { return ends.0 }
    if one.finding.severity != other.finding.severity {
      return one.finding.severity > other.finding.severity
    }
    let standstills = (
      RuleBook.isOfStandstill(one.finding.rule), RuleBook.isOfStandstill(other.finding.rule)
    )
    if one.finding.severity == .error, standstills.0 != standstills.1 { return standstills.0 }
    let ranks = (RuleBook.rank(one.finding.rule), RuleBook.rank(other.finding.rule))
    if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
    if one.finding.wall != other.finding.wall { return one.finding.wall < other.finding.wall }
    return one.fingerprint < other.fingerprint
  }
}

import IncidentModel

/// The content of one or many recordings, in mergeable form.
///
/// Merging is associative and commutative, and merging a summary with itself changes nothing. A
/// summary keeps the earliest example of each finding, and the facts and counts of each recording.
package struct Summary: Hashable, Sendable, Codable {
  package static let schema = "crashscan-summary/3"

  package private(set) var schema = Summary.schema
  /// The summaries of the recordings, by recording id.
  package private(set) var logs: [String: RecordingSummary] = [:]
  /// An example of each finding, by fingerprint.
  package private(set) var examples: [String: Finding] = [:]
  /// The reason why an input was not read completely, by the input's name; nil if all inputs were.
  package private(set) var unread: [String: String]?

  package init() {}

  /// Creates the summary of an input that could not be read or recognized.
  package init(unread input: String, because why: String) { unread = [input: why] }

  init(of run: EndedRun) {
    for draft in run.drafts { examples[draft.fingerprint] = draft.finding }
    logs[run.source.recording] = RecordingSummary(of: run)
  }

  /// Sets the host and release of the recordings that have none.
  package mutating func place(host: String?, release: String?) {
    for recording in logs.keys {
      if logs[recording]?.host == nil { logs[recording]?.host = host }
      if logs[recording]?.release == nil { logs[recording]?.release = release }
    }
  }

  /// Merges another summary. If both contain a recording, the summary that read more of the
  /// recording counts.
  package mutating func merge(_ other: Summary) {
    for (recording, log) in other.logs {
      logs[recording] = logs[recording].map { Self.further($0, log) } ?? log
    }
    for (fingerprint, example) in other.examples { addExample(example, fingerprint) }
    if let more = other.unread { unread = (unread ?? [:]).merging(more, uniquingKeysWith: min) }
  }

  /// Returns the summary with other fingerprints for some findings.
  func renaming(_ names: [String: String]) -> Summary {
    var summary = self
    for old in names.keys { summary.examples[old] = nil }
    for recording in logs.keys { summary.logs[recording]?.rename(names) }
    return summary
  }

  /// Returns the summary without some recordings, whose inputs another recording names instead.
  func absorbing(_ recordings: [String: [String]]) -> Summary {
    var summary = self
    for (kept, others) in recordings {
      summary.logs[kept]?.sameCrash = others.compactMap { logs[$0]?.input }.sorted()
      for other in others { summary.logs[other] = nil }
    }
    return summary
  }

  private mutating func addExample(_ finding: Finding, _ fingerprint: String) {
    guard let known = examples[fingerprint] else {
      examples[fingerprint] = finding
      return
    }
    if Self.isBefore(finding, known) { examples[fingerprint] = finding }
  }

  /// A total order, so that the order of merging does not matter.
  private static func isBefore(_ one: Finding, _ other: Finding) -> Bool {
    if one.severity != other.severity { return one.severity > other.severity }
    // Another tool's report without a time has less evidence than a log.
    if (one.wall == 0) != (other.wall == 0) { return other.wall == 0 }
    if one.wall != other.wall { return one.wall < other.wall }
    if one.incident != other.incident { return one.incident < other.incident }
    if one.title != other.title { return one.title < other.title }
    return "\(one)" < "\(other)"
  }

  private static func further(_ one: RecordingSummary, _ other: RecordingSummary)
    -> RecordingSummary
  {
    if one.extent != other.extent { return one.extent < other.extent ? other : one }
    if one.input != other.input { return one.input < other.input ? one : other }
    return one.order < other.order ? one : other
  }
}

extension RecordingSummary {
  init(of run: EndedRun) {
    let source = run.source
    extent = Extent(
      monotonic: run.lastMonotonic, hasEnded: source.ending != .running,
      events: run.events - run.reported)
    input = run.input
    format = source.format
    executable = source.process?.executable ?? ""
    process = source.process?.id ?? 0
    release = source.process?.release
    environment = source.process?.environment
    opened = source.process?.openedWall ?? 0
    lastSeen = max(opened, run.lastWall, source.crash?.wall ?? 0, source.signs.aliveWall ?? 0)
    ending = run.ending
    manner = run.manner.words
    crash = run.recordedCrash.map { $0.line(in: source.process?.id) } ?? ""
    thread = source.subject?.thread
    queue = source.subject?.queue
    subject = source.subject?.text
    unread = source.unread.prefix(100).map(describe)
    answers = run.answers.times
    counts = [:]
    var spans: [String: WallSpan] = [:]
    for draft in run.drafts {
      counts[draft.fingerprint] = draft.count
      spans[draft.fingerprint] = draft.span
    }
    self.spans = spans
    death = DeathDescription(run)?.withoutMessage
    gaps = RecordingGaps(run)
    missingFeatures = source.signs.missingFeatures
    faultAddress = source.crash?.address
  }

  /// A tie-breaker for two summaries of equal extent.
  fileprivate var order: String {
    let counts = counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let place = [host ?? "", "\u{0}", release ?? ""]
    return counts.joined(separator: ",") + (unread + [executable, crash] + place).joined()
  }
}

/// Returns a description of an unreadable range.
func describe(_ unread: Unread) -> String {
  let what =
    switch unread.reason {
    case .unfinished: "an unfinished record"
    case .damaged: "damaged"
    case .truncated: "missing: the file ends earlier"
    case .other(let word): word
    }
  return "\(unread.length) bytes at offset \(unread.offset): \(what)"
}

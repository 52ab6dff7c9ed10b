import CrashAnalysis
import IncidentModel

extension ReportTrial {
  /// What reading the report says otherwise than it must; empty where all is right.
  package func complaints(_ reading: ReportReading) -> [String] {
    if format == "error" {
      return reading.failure == nil ? ["it was read, though it is no report"] : []
    }
    if let failure = reading.failure { return [failure] }
    var complaints: [String] = []
    if reading.recordings.count != incidents {
      complaints.append("\(reading.recordings.count) incidents, not \(incidents)")
    }
    if incidents == 1, let recording = reading.recordings.first {
      complaints += facts(recording)
    }
    if !isRight(reading.accusations) {
      complaints.append("findings \(reading.accusations.sorted()), not \(rules.sorted())")
    }
    return complaints + culprits(reading)
  }

  private func facts(_ recording: RecordingSummary) -> [String] {
    var complaints: [String] = []
    if recording.format != format { complaints.append("format \(recording.format)") }
    if let thread, recording.thread?.index != thread {
      complaints.append("thread \(recording.thread.map { "\($0.index)" } ?? "none"), not \(thread)")
    }
    if let queue, recording.queue != queue {
      complaints.append("queue \(recording.queue ?? "none"), not \(queue)")
    }
    return complaints
  }

  /// Work that a callback led to off the main queue may also be told as the callback's, and a deadlock of
  /// the main queue as what holds it.
  func isRight(_ found: Set<String>) -> Bool {
    let asWell = [("off-main-ui", "unhopped-callback"), ("sync-deadlock", "main-blocked")]
    return found == rules
      || asWell.contains { rules.contains($0.0) && found == rules.union([$0.1]) }
  }

  private func culprits(_ reading: ReportReading) -> [String] {
    var complaints: [String] = []
    if let culprit, !reading.accusing.contains(where: { isCulprit($0.finding.culprit, culprit) }) {
      complaints.append(
        "culprit \(reading.accusing.map { $0.finding.culprit?.function ?? "none" })")
    }
    if let api, !reading.accusing.contains(where: { $0.finding.api == api }) {
      complaints.append("API \(reading.accusing.map { $0.finding.api ?? "none" }), not \(api)")
    }
    return complaints
  }

  /// `none` where the report shows no code of the program's own, `file:F:1` where only a place.
  func isCulprit(_ place: CodePlace?, _ expected: String) -> Bool {
    if expected == "none" { return place?.function.isEmpty ?? true }
    guard let place else { return false }
    if expected.hasPrefix("file:") {
      return expected == "file:\(place.file ?? ""):\(place.line ?? 0)"
    }
    return place.function == expected
  }
}

/// How often reports of one format were judged rightly.
package struct Accuracy: Sendable {
  package var reports = 0
  /// Those that show nothing to accuse anybody of.
  package var silent = 0
  package var rightlyAccused = 0
  package var wronglyAccused = 0
  package var missed = 0
  package var culprits = 0
  package var culpritsFound = 0
  package var complaints = 0

  package init() {}

  package mutating func add(_ trial: ReportTrial, _ reading: ReportReading) {
    reports += 1
    if trial.rules.isEmpty { silent += 1 }
    let found = reading.accusations
    rightlyAccused += found.intersection(trial.rules).count
    missed += trial.rules.subtracting(found).count
    let allowed = trial.isRight(found) ? found : trial.rules
    wronglyAccused += found.subtracting(allowed).count
    if !trial.complaints(reading).isEmpty { complaints += 1 }
    guard let culprit = trial.culprit, culprit != "none" else { return }
    culprits += 1
    let isFound = reading.accusing.contains { trial.isCulprit($0.finding.culprit, culprit) }
    culpritsFound += isFound ? 1 : 0
  }

  /// Of the accusations, how many are right; nil where there are none.
  package var precision: Double? { share(rightlyAccused, rightlyAccused + wronglyAccused) }
  /// Of what the reports show, how much was found; nil where they show nothing.
  package var recall: Double? { share(rightlyAccused, rightlyAccused + missed) }

  private func share(_ part: Int, _ whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}

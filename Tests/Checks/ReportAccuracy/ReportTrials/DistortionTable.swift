/// How rightly reports are judged that have been through something, by what it was.
package struct DistortionTable: Sendable {
  private struct Score {
    var tried = 0
    var excluded = 0
    var found = 0
    var culprits = 0
    var culpritsFound = 0
    var alike = 0
    var falselyAccused = 0
  }

  private var scores: [Distortion: Score] = [:]
  /// What is not found, and who is accused falsely, report by report.
  package private(set) var complaints: [String] = []

  package init(_ trials: [ReportTrial]) {
    for trial in trials where trial.format != "error" {
      guard let text = trial.text else { continue }
      for distortion in Distortion.allCases { add(trial, text, distortion) }
    }
  }

  private mutating func add(_ trial: ReportTrial, _ text: String, _ distortion: Distortion) {
    var score = scores[distortion, default: Score()]
    defer { scores[distortion] = score }
    let distorted = distortion.apply(to: text)
    let reading = ReportReading(bytes: Array(distorted.utf8), name: trial.file)
    let isFound = trial.isRight(reading.accusations)
    let wrong =
      isFound ? [] : reading.accusations.subtracting(trial.rules).subtracting(["unhopped-callback"])
    if trial.rules.isEmpty {
      score.alike += 1
      if !reading.accusations.isEmpty { score.falselyAccused += 1 }
    } else if trial.incidents != 1 || trial.isWholeJSON(text)
      || !distortion.keepsEnough(of: text, in: distorted, trial)
    {
      score.excluded += 1
    } else {
      score.tried += 1
      if isFound { score.found += 1 }
      if !isFound {
        complaints.append("\(trial.file), \(distortion): \(reading.accusations.sorted())")
      }
      if let culprit = trial.culprit, culprit != "none" {
        score.culprits += 1
        let isNamed = reading.accusing.contains { trial.isCulprit($0.finding.culprit, culprit) }
        score.culpritsFound += isNamed ? 1 : 0
        if isFound, !isNamed { complaints.append("\(trial.file), \(distortion): not \(culprit)") }
      }
    }
    if !wrong.isEmpty || trial.rules.isEmpty && !reading.accusations.isEmpty {
      complaints.append("\(trial.file), \(distortion): falsely \(reading.accusations.sorted())")
    }
  }

  /// For the page.
  package var markdown: String {
    var lines = [
      "| distortion | positives | excluded | found | culprits | no violation | accused |",
      "|---|---:|---:|---:|---:|---:|---:|",
    ]
    var all = Score()
    for distortion in Distortion.allCases {
      let score = scores[distortion, default: Score()]
      all.tried += score.tried
      all.excluded += score.excluded
      all.found += score.found
      all.culprits += score.culprits
      all.culpritsFound += score.culpritsFound
      all.alike += score.alike
      all.falselyAccused += score.falselyAccused
      lines.append(Self.row(distortion.title, score))
    }
    lines.append(Self.row("all", all))
    return lines.joined(separator: "\n")
  }

  private static func row(_ name: String, _ score: Score) -> String {
    let share = score.tried == 0 ? "–" : "\(score.found * 100 / score.tried) %"
    return "| \(name) | \(score.tried) | \(score.excluded) | \(share) "
      + "| \(score.culpritsFound)/\(score.culprits) | \(score.alike) | \(score.falselyAccused) |"
  }
}

extension ReportTrial {
  /// The report as text; nil where it is none, or in another encoding.
  var text: String? {
    String(validating: ReportTrial.bytes(of: path), as: UTF8.self)
  }

  /// Whether it is one document, which no distortion of lines leaves whole.
  func isWholeJSON(_ text: String) -> Bool {
    text.first { !$0.isWhitespace }.map { $0 == "{" || $0 == "[" } ?? true
  }
}

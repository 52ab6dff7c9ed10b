/// How rightly reports are judged, by format, as a table.
package struct AccuracyTable {
  private var formats: [String: Accuracy] = [:]
  private var all = Accuracy()
  /// What is wrong, report by report.
  package private(set) var complaints: [String] = []

  package init(_ trials: [ReportTrial]) {
    for trial in trials {
      let reading = ReportReading(path: trial.path)
      formats[trial.format, default: Accuracy()].add(trial, reading)
      all.add(trial, reading)
      complaints += trial.complaints(reading).map { "\(trial.file): \($0)" }
    }
  }

  package var isRight: Bool { complaints.isEmpty && all.reports > 0 }

  private static let header = [
    "format", "reports", "accuse nobody", "precision", "recall", "culprits", "wrong",
  ]

  /// Its cells, the header's first.
  package var rows: [[String]] {
    let sorted = formats.sorted { $0.key < $1.key }
    let named = sorted.map { ($0.key == "error" ? "no report" : $0.key, $0.value) }
    return [Self.header] + (named + [("all", all)]).map { Self.row($0, $1) }
  }

  private static func row(_ name: String, _ accuracy: Accuracy) -> [String] {
    let share = { (value: Double?) in value.map { "\(Int(($0 * 100).rounded())) %" } ?? "–" }
    return [
      name, "\(accuracy.reports)", "\(accuracy.silent)", share(accuracy.precision),
      share(accuracy.recall), "\(accuracy.culpritsFound)/\(accuracy.culprits)",
      "\(accuracy.complaints)",
    ]
  }

  /// For a terminal.
  package var text: String {
    let widths = Self.header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count + 2)
      }.joined()
    }.joined(separator: "\n")
  }

  /// A page of the documentation.
  package var markdown: String {
    let lines = rows.map { "| " + $0.joined(separator: " | ") + " |" }
    let rule = "|---" + String(repeating: "|---:", count: Self.header.count - 1) + "|"
    return """
      # How rightly reports are judged

      The handwritten reports of `Tests/Fixtures/reports`, each with what it must say (`expected.tsv`), by the format
      that they are read as. “Accuse nobody” are those that show no work off the main queue and nobody who holds it, a good part of
      them look-alikes. Precision: of the accusations (`off-main-ui`, `unhopped-callback`, `ui-after-background`, `isolation-trap`, `wrong-executor`,
      `sync-deadlock`, `main-blocked`), how many are right.
      Recall: of what the reports show, how much was found. Culprits: of those that can be named, how many were. Wrong: reports
      with a wrong format, thread, queue, API or number of incidents too.

      `make check-accuracy` writes this page; a test compares it. The fixtures were written to be read, and what was misread
      was fixed: the figures say that nothing has got worse, not how a report that nobody has seen will fare. For that there is
      the corpus of other people's files, see [report-formats.md](report-formats.md).

      \(([lines[0], rule] + lines.dropFirst()).joined(separator: "\n"))

      """
  }

  /// The part of the page on reports that have been through something.
  package static func markdown(of distortions: DistortionTable) -> String {
    """

    ## Distorted

    The same reports after what happens to them on their way. Positives are those of one incident that are text;
    a document of JSON does not survive a change of its lines, so it is excluded, and so is a report of which too little is left:
    a line with the evidence, of the thread, or with the culprit's name is gone or broken in two (`Distortion.keepsEnough`, fixed before
    any of it was read). “Accused” are those that accuse nobody as they were written, and do so once distorted.

    \(distortions.markdown)

    """
  }
}

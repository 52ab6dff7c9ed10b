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
    "format", "reports", "no violation", "precision", "recall", "culprits", "wrong",
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
      # Accuracy on reports of other tools

      The table compares the results for the handwritten reports of `Tests/Fixtures/reports` with `expected.tsv`, by format. “No violation” counts the
      reports without work off the main queue and without a holder of that queue, a pool or an event loop; many of these reports resemble a violation.
      Precision is the share of right findings among all findings of violations (`off-main-ui`, `unhopped-callback`, `ui-after-background`,
      `isolation-trap`, `wrong-executor`, `sync-deadlock`, `main-blocked`, `pool-blocked`, `loop-blocked`). Recall is the share of violations that
      were found, and “culprits” counts the violations with the right culprit. “Wrong” also counts reports with a wrong format, thread, queue, API or number of incidents.

      `make check-accuracy` generates this page, and a test compares it. The readers were corrected with these fixtures, so the figures show regressions
      and not the accuracy on new reports. `REPORT_CORPUS` measures the accuracy on new reports ([report-formats.md](report-formats.md#checks)).

      \(([lines[0], rule] + lines.dropFirst()).joined(separator: "\n"))

      """
  }

  /// The part of the page on reports that have been through something.
  package static func markdown(of distortions: DistortionTable) -> String {
    """

    ## Distorted

    This table shows the same reports after transport damage. Positives are text reports of one incident. JSON documents are excluded, because they do
    not survive changed lines. Reports that lost a line with the evidence, the thread or the culprit's name are excluded too
    (`Distortion.keepsEnough`). “Accused” counts reports without a violation that yield a finding after the damage.

    \(distortions.markdown)

    """
  }
}

import Glibc
import ReportTrials

/// Prints how rightly reports are judged, by format.
func printTable(_ trials: [ReportTrial]) -> Bool {
  var formats: [String: Accuracy] = [:]
  var all = Accuracy()
  var wrong: [String] = []
  for trial in trials {
    let reading = ReportReading(path: trial.path)
    formats[trial.format, default: Accuracy()].add(trial, reading)
    all.add(trial, reading)
    for complaint in trial.complaints(reading) { wrong.append("\(trial.file): \(complaint)") }
  }
  print(row("format", "reports", "precision", "recall", "culprits", "wrong"))
  for (format, accuracy) in formats.sorted(by: { $0.key < $1.key }) { print(row(format, accuracy)) }
  print(row("all", all))
  for line in wrong { print(line) }
  return wrong.isEmpty && all.reports > 0
}

func row(_ format: String, _ accuracy: Accuracy) -> String {
  let share = { (value: Double?) in value.map { "\(Int(($0 * 100).rounded())) %" } ?? "-" }
  return row(
    format, "\(accuracy.reports)", share(accuracy.precision), share(accuracy.recall),
    "\(accuracy.culpritsFound)/\(accuracy.culprits)", "\(accuracy.complaints)")
}

func row(_ cells: String...) -> String {
  let widths = [24, 9, 11, 9, 10, 6]
  return zip(cells, widths).map { cell, width in
    cell + String(repeating: " ", count: max(0, width - cell.count))
  }.joined()
}

// Another folder than the fixtures', with an `expected.tsv` of its own, may be named.
let trials = CommandLine.arguments.dropFirst().first.map(ReportTrial.trials) ?? ReportTrial.all
exit(printTable(trials) ? 0 : 1)

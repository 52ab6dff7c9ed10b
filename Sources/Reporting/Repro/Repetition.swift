import CrashAnalysis
import IncidentModel

/// How to see what was found once more: a test, a breakpoint, a policy.
struct Repetition {
  let lines: [String]

  /// - Parameters:
  ///   - entry: what was found.
  ///   - number: its place in the report, counted from 1.
  init(of entry: Report.Entry, number: Int, in report: Report) {
    let finding = entry.finding
    let same = report.entries.map(\.finding).filter {
      $0.incident == finding.incident && $0.defect == finding.defect && !$0.defect.isEmpty
    }
    var lines: [String] = []
    if ([finding] + same).contains(where: { ReproStory($0) != nil }) {
      let file = finding.input.split(separator: "/").last ?? ""
      lines.append("crashscan repro \(file) --finding \(number) writes a test that does it again")
    }
    if let culprit = finding.culprit, let line = culprit.line,
      let file = culprit.file?.split(separator: "/").last
    {
      lines.append(
        "breakpoint set --file \(file) --line \(line) stops lldb there, with the stack that leads to it"
      )
    }
    let isLog = report.recordings.contains {
      $0.input == finding.input && $0.format == "breadcrumbs"
    }
    let broken: Set = ["off-main-ui", "wrong-executor", "unhopped-callback", "ui-after-background"]
    if isLog, ([finding] + same).contains(where: { broken.contains($0.rule) }) {
      lines.append(
        "MAINSTAY_POLICY=log,record,trap ends the program at the first violation, with its stack")
    }
    self.lines = lines
  }
}

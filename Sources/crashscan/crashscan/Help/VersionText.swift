import CReportPage
import CrashAnalysis
import DeathRecords
import LogReading
import ReportReading
import TextOutput

/// The text of `--version`: version and commit in the first line, then the formats that are read and written.
struct VersionText {
  var text: String {
    """
    crashscan \(mainstayVersion) (\(commit))
    reads breadcrumb logs of format \(LogReader.formatVersion), and reports:
    \(list(ForeignFormat.allCases.map(\.rawValue)))
    writes JSON of these schemas:
    \(list([Report.schema, Summary.schema, Fleet.schema, DeathRecord.schema]))

    """
  }

  private var commit: String {
    crashscan_commit().map { "commit \(String(cString: $0))" } ?? "commit unknown"
  }

  /// Names in indented lines of at most 80 columns.
  private func list(_ names: [String]) -> String {
    var lines = ["  "]
    for (index, name) in names.enumerated() {
      let item = name + (index == names.count - 1 ? "" : ",")
      if lines[lines.count - 1].count + 1 + item.count > 80 { lines.append("  ") }
      lines[lines.count - 1] += (lines[lines.count - 1].count == 2 ? "" : " ") + item
    }
    return lines.joined(separator: "\n")
  }
}

import CrashAnalysis
import IncidentModel
import TextOutput

/// Writes a report as annotations of a GitHub workflow, one line per defect.
package struct GitHubReporter: Reporter {
  private let layout: TextLayout

  /// Creates a reporter.
  ///
  /// - Parameter layout: Paths are relative to its base directory, as annotations require.
  package init(layout: TextLayout) { self.layout = layout }

  package func write(_ report: Report) -> String {
    let unread = report.unread.map {
      GitHubAnnotation(level: "error", title: "crashscan", text: $0.why).line
    }
    let groups = DefectGroup.groups(of: report.entries.filter { !$0.isKnown })
    return (unread + groups.map(annotation)).joined()
  }

  /// Returns one annotation for a defect, however many rules report the defect.
  private func annotation(_ group: DefectGroup) -> String {
    let entry = group.lead
    let finding = entry.finding
    let often = entry.count > 1 ? " (\(entry.count) times)" : ""
    let code = finding.fix.edits.flatMap { [$0.heading(layout.path($0.file))] + $0.outdented }
      .map { "\n\($0)" }.joined()
    let others = Set(group.others.map(\.finding.rule)).sorted().joined(separator: ", ")
    let also = others.isEmpty ? "" : "\nAlso: \(others)"
    let fix = finding.fix.text.isEmpty ? "" : "\n\(finding.fix.text)"
    let text = "\(finding.title)\(often)\(fix)\(code)\(also)"
    return GitHubAnnotation(
      level: finding.severity == .note ? "notice" : finding.severity.rawValue,
      title: "\(finding.rule)", file: finding.culprit?.file.map(layout.path),
      lineNumber: finding.culprit?.line, text: text
    ).line
  }
}

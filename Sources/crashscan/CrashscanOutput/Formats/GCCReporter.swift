import CrashAnalysis
import IncidentModel
import TextOutput

/// Writes a report as compiler diagnostics, `file:line:column: error: …`, for the error lists of
/// editors.
///
/// The fix and the steps that led to a defect are notes after its error.
package struct GCCReporter: Reporter {
  private let layout: TextLayout

  /// Creates a reporter.
  ///
  /// - Parameter layout: Paths are relative to its base directory.
  package init(layout: TextLayout) { self.layout = layout }

  package func write(_ report: Report) -> String {
    let unread = report.unread.map { line(layout.path($0.input), "error", $0.why) }
    let groups = DefectGroup.groups(of: report.entries.filter { !$0.isKnown })
    return (unread + groups.map(diagnostics)).joined()
  }

  private func diagnostics(_ group: DefectGroup) -> String {
    let finding = group.lead.finding
    let place = finding.culprit.flatMap(position) ?? layout.path(finding.input)
    let times = group.lead.count > 1 ? " (\(group.lead.count) times)" : ""
    let fixed = finding.fix.edits.first.map { edit in
      position(CodePlace(function: "", module: "", file: edit.file, line: edit.lines.first))
        ?? place
    }
    let steps = finding.cause.compactMap { step in
      step.place.flatMap(position).map { line($0, "note", step.text) }
    }
    let fix =
      finding.fix.text.isEmpty ? "" : line(fixed ?? place, "note", "fix: \(finding.fix.text)")
    return line(place, finding.severity.rawValue, "\(finding.title)\(times) [\(finding.rule)]")
      + steps.joined() + fix
  }

  /// Returns `file:line:column`; nil if no file is known. The column is the start of the statement
  /// if the file is available, else 1.
  private func position(_ place: CodePlace) -> String? {
    guard let file = place.file else { return nil }
    guard let number = place.line else { return layout.path(file) }
    let source = SourceLine.excerpt(around: place, margin: 0)?.lines.first ?? ""
    let indent = source.utf8.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return "\(layout.path(file)):\(number):\(indent.count + 1)"
  }

  /// Returns one diagnostic line; line breaks in a log's texts are escaped.
  private func line(_ place: String, _ severity: String, _ text: String) -> String {
    "\(escapingControls(place)): \(severity): \(escapingControls(text))\n"
  }
}

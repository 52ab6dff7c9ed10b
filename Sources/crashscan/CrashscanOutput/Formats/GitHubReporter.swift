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
    let unread = report.unread.map { "::error title=crashscan::\(message($0.why))\n" }
    let groups = DefectGroup.groups(of: report.entries.filter { !$0.isKnown })
    return (unread + groups.map(annotation)).joined()
  }

  /// Returns one annotation for a defect, however many rules report the defect.
  private func annotation(_ group: DefectGroup) -> String {
    let entry = group.lead
    let finding = entry.finding
    let command = finding.severity == .note ? "notice" : finding.severity.rawValue
    var properties = ["title=\(property("\(finding.rule)"))"]
    if let culprit = finding.culprit, let file = culprit.file {
      properties.insert("file=\(property(layout.path(file)))", at: 0)
      if let line = culprit.line { properties.insert("line=\(line)", at: 1) }
    }
    let often = entry.count > 1 ? " (\(entry.count) times)" : ""
    let code = finding.fix.edits.flatMap { [$0.heading(layout.path($0.file))] + $0.outdented }
      .map { "\n\($0)" }.joined()
    let others = Set(group.others.map(\.finding.rule)).sorted().joined(separator: ", ")
    let also = others.isEmpty ? "" : "\nAlso: \(others)"
    let fix = finding.fix.text.isEmpty ? "" : "\n\(finding.fix.text)"
    let text = "\(finding.title)\(often)\(fix)\(code)\(also)"
    return "::\(command) \(properties.joined(separator: ","))::\(message(text))\n"
  }

  // Escape line breaks, so that a log's text cannot start a workflow command.
  private func message(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default:
        if scalar.steersTerminals { escaped += "?" } else { escaped.unicodeScalars.append(scalar) }
      }
    }
    return escaped
  }

  private func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

import CrashAnalysis
import IncidentModel
import TextOutput

/// Writes a report as a self-contained page: findings next to a timeline of the recording.
package struct HTMLReporter: Reporter {
  private let version: String
  private let timelines: Timelines

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - version: The version of crashscan.
  ///   - timelines: The recorded events; a recording without a timeline shows its findings only.
  package init(version: String, timelines: Timelines = Timelines()) {
    self.version = version
    self.timelines = timelines
  }

  package func write(_ report: Report) -> String {
    var json = JSONWriter()
    json.page(report, timelines, version: version)
    let style = PagePiece.style
    let script = PagePiece.script
    return PagePiece.frame.filled([
      "title": Markup.escaped(title(report)),
      "policy": policy(style: style, script: script),
      "unread": report.unread.map { "<p class=\"unread\">\(Markup.escaped($0.why))</p>" }.joined(),
      "style": style.text,
      "data": Markup.inert(json.take()),
      "script": script.text,
    ])
  }

  private func title(_ report: Report) -> String {
    guard let only = report.recordings.first, report.recordings.count == 1 else {
      return "\(report.recordings.count) recordings · crashscan"
    }
    let name = only.executable.split(separator: "/").last.map(String.init) ?? only.input
    return "\(name) · crashscan"
  }

  private func policy(style: PagePiece, script: PagePiece) -> String {
    """
    default-src 'none'; script-src '\(script.digest)'; style-src '\(style.digest)'; \
    base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'
    """
  }
}

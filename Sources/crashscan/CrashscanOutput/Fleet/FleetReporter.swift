import CrashAnalysis
import IncidentModel
import TextOutput

/// Writes the summary of many hosts' logs as rows of JSON, one per line. docs/fleet-schema.json
/// describes the format.
package struct FleetReporter: Reporter {
  package init() {}

  package func write(_ report: Report) -> String {
    let fleet = Fleet(report)
    var text = ""
    func row(_ name: String, _ body: (inout JSONWriter) -> Void) {
      var json = JSONWriter()
      json.object { json in
        json.member("row", name)
        body(&json)
      }
      text += json.take() + "\n"
    }
    row("fleet") { $0.fleet(fleet) }
    for entry in fleet.entries { row("finding") { $0.finding(entry) } }
    for deaths in fleet.deaths { row("death") { $0.deaths(deaths) } }
    for culprit in fleet.culprits { row("culprit") { $0.culprit(culprit) } }
    for entry in fleet.entries {
      for occurrence in entry.occurrences {
        row("occurrence") { $0.occurrence(occurrence, of: entry.entry, in: report) }
      }
    }
    for (identity, recording) in zip(report.identities, report.recordings) {
      row("log") { $0.log(recording, identity) }
    }
    for input in report.unread {
      row("unread") { json in
        json.member("input", input.input)
        json.member("why", input.why)
      }
    }
    return text
  }
}

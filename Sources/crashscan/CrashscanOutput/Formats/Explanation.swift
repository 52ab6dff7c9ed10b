import CrashAnalysis
import IncidentModel
import TextOutput

extension TextReporter {
  /// Returns a detailed explanation of a finding.
  package func explanation(of entry: Report.Entry, in report: Report) -> String {
    let finding = entry.finding
    var text = self.finding(entry)
    text += section("the chain", table((finding.chain ?? []).map(link)))
    text += section(
      "other findings with the same cause",
      table((finding.merged ?? []).map { ["\($0.rule)", "\($0.title)"] }))
    text += section(
      "other causes that were examined",
      table((finding.alternatives ?? []).map { ["\($0.what)", "\($0.refusal)"] }))
    text += again(Repetition(report, reading: readingOptions).lines(for: entry))
    return text.string
  }

  private func link(_ link: Finding.ChainLink) -> [VisibleText] {
    var clock = LocalClock()
    let time = link.wall == 0 ? "" : clock.clock(WallTime(nanoseconds: link.wall))
    return [
      "\(link.part.rawValue)", "\(time)", "\(link.text)",
      link.place?.shortPosition.map { layout.palette("\($0)", .place) } ?? "",
    ]
  }
}

extension JSONReporter {
  package static let explanationSchema = "crashscan-explain/1"

  /// Returns a finding as in a report, with the alternative causes that were examined.
  package func explanation(of entry: Report.Entry, id: Int) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", Self.explanationSchema)
      json.key("finding")
      json.finding(entry, id: id)
      json.key("alternatives")
      json.array(entry.finding.alternatives ?? []) { json, other in
        json.object { json in
          json.member("what", other.what)
          json.member("refusal", other.refusal)
        }
      }
    }
    return json.take() + "\n"
  }
}

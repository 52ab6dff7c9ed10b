import CrashAnalysis
import DeathRecords
import IncidentModel
import TextOutput

extension JSONWriter {
  /// Writes all data of the page. docs/internals/timeline.md describes the format.
  mutating func page(_ report: Report, _ timelines: Timelines, version: String) {
    object { json in
      json.member("schema", "crashscan-timeline/1")
      json.member("version", version)
      json.key("runs")
      json.array(zip(report.identities, report.recordings)) { json, run in
        json.breakLine()
        json.run(run.1, identity: run.0, timelines.byRecording[run.0])
      }
      json.findings(report)
      json.rules(report)
      json.excerpts(report)
    }
  }

  private mutating func run(
    _ recording: RecordingSummary, identity: String, _ timeline: Timeline?
  ) {
    object { json in
      json.member("identity", identity)
      json.key("recording")
      json.recording(recording)
      json.key("counts")
      json.object { json in
        for (fingerprint, count) in recording.counts.sorted(by: { $0.key < $1.key }) {
          json.key(fingerprint)
          json.value(count)
        }
      }
      json.key("timeline")
      if let timeline { json.object { $0.timeline(timeline) } } else { json.null() }
    }
  }

  /// Writes the findings in reading order, each with the number of its defect.
  private mutating func findings(_ report: Report) {
    let groups = DefectGroup.groups(of: report.entries)
    var group: [String: Int] = [:]
    for (number, members) in groups.enumerated() {
      for entry in [members.lead] + members.others { group[entry.fingerprint] = number }
    }
    key("findings")
    array(report.entries.enumerated()) { json, numbered in
      let entry = numbered.element
      json.breakLine()
      json.object { json in
        json.member("group", group[entry.fingerprint] ?? 0)
        json.member("wall", "\(entry.finding.wall)")
        json.key("finding")
        json.finding(entry, id: numbered.offset + 1)
      }
    }
  }

  /// Writes the descriptions of the rules with findings.
  private mutating func rules(_ report: Report) {
    key("rules")
    object { json in
      for id in Set(report.entries.map(\.finding.rule)).sorted() {
        guard let rule = RuleBook.description(of: id) else { continue }
        json.key(id)
        json.object { json in
          json.member("title", rule.title)
          json.member("firesWhen", rule.firesWhen)
          json.member("cause", rule.cause)
        }
      }
    }
  }

  /// Writes the source lines around each place in the findings, if the files are available.
  private mutating func excerpts(_ report: Report) {
    var known: Set<String> = []
    key("excerpts")
    beginArray()
    for place in report.entries.flatMap(\.finding.places) {
      guard known.count < 200, let file = place.file, let line = place.line,
        known.insert("\(file):\(line)").inserted,
        let excerpt = SourceLine.excerpt(around: place, margin: 3)
      else { continue }
      object { json in
        json.member("file", file)
        json.member("line", line)
        json.member("first", excerpt.first)
        json.key("lines")
        json.array(excerpt.lines) { $0.value($1) }
      }
    }
    endArray()
  }
}

extension Finding {
  /// Every source place in the finding.
  fileprivate var places: [CodePlace] {
    [culprit].compactMap { $0 } + evidence.compactMap(\.place) + cause.compactMap(\.place)
  }
}

import CrashAnalysis
import DeathRecords
import IncidentModel
import TextOutput

// Writes the rows, each as the members of an object that the caller has begun.
extension JSONWriter {
  mutating func fleet(_ fleet: Fleet) {
    member("schema", Fleet.schema)
    member("programs", Set(fleet.report.recordings.map(\.executable)).count)
    spread(fleet.spread)
    member("torn", fleet.gaps.torn)
    member("dropped", fleet.gaps.dropped)
    member("overwritten", fleet.gaps.overwritten)
    member("unnamed", fleet.gaps.unnamed)
    member("unread", fleet.report.unread.count)
  }

  mutating func finding(_ entry: Fleet.Entry) {
    let finding = entry.entry.finding
    member("fingerprint", entry.entry.fingerprint)
    member("rule", finding.rule)
    member("severity", finding.severity.rawValue)
    member("title", finding.title)
    member("isVerdict", finding.isVerdict)
    member("isNew", !entry.entry.isInBaseline)
    member("function", finding.culprit?.function)
    member("module", finding.culprit?.module)
    member("file", finding.culprit?.file)
    member("line", finding.culprit?.line)
    member("fix", finding.fix.text)
    key("evidence")
    array(finding.evidence.prefix(20)) { $0.value($1.text) }
    member("example", finding.input)
    member("count", entry.entry.count)
    spread(entry.spread)
  }

  mutating func deaths(_ deaths: Fleet.Deaths) {
    member("kind", deaths.kind)
    member("name", deaths.name)
    spread(deaths.spread)
  }

  mutating func culprit(_ culprit: Fleet.Culprit) {
    member("function", culprit.function)
    member("module", culprit.module)
    key("fingerprints")
    array(culprit.entries) { $0.value($1.fingerprint) }
    key("titles")
    array(culprit.entries) { $0.value($1.finding.title) }
    spread(culprit.spread)
  }

  mutating func occurrence(
    _ occurrence: Fleet.Occurrence, of entry: Report.Entry, in report: Report
  ) {
    let recording = report.recordings[occurrence.place]
    member("fingerprint", entry.fingerprint)
    member("rule", entry.finding.rule)
    member("recording", report.identities[occurrence.place])
    member("host", recording.host)
    member("release", recording.release)
    member("count", occurrence.count)
    span(occurrence.span)
  }

  mutating func log(_ recording: RecordingSummary, _ identity: String) {
    let gaps = recording.gaps
    member("recording", identity)
    member("input", recording.input)
    member("host", recording.host)
    member("release", recording.release)
    member("environment", recording.environment)
    member("executable", recording.executable)
    member("process", recording.process)
    span(WallSpan(recording.opened, recording.lastSeen))
    member("ending", recording.ending.name)
    member("manner", recording.manner)
    member("death", recording.death?.kind)
    member("crumbs", recording.extent.events)
    member("findings", recording.counts.count)
    member("unreadBytes", gaps.map { Int(clamping: $0.unreadBytes) })
    member("isCutShort", gaps?.isCutShort ?? false)
    member("dropped", gaps.map { Int(clamping: $0.dropped) })
    member("overwritten", gaps.map { Int(clamping: $0.overwritten) })
    key("unnamed")
    array(gaps?.unnamed ?? []) { $0.value($1) }
  }

  /// The maximum number of hosts in a finding's row; the rows of occurrences contain all hosts.
  private static let mostHosts = 1000

  private mutating func spread(_ spread: Distribution) {
    member("logs", spread.logs)
    member("starts", spread.starts)
    member("hosts", spread.hosts.count)
    key("hostNames")
    array(spread.hosts.prefix(Self.mostHosts)) { $0.value($1) }
    key("releases")
    array(spread.releases) { json, release in
      json.object { json in
        json.member("release", release.name)
        json.member("logs", release.logs)
        json.member("starts", release.starts)
      }
    }
    span(spread.span)
    key("days")
    array(spread.days) { json, day in
      json.object { json in
        json.member("day", Self.date(day.number))
        json.member("logs", day.logs)
        json.member("count", day.count)
      }
    }
  }

  private mutating func span(_ span: WallSpan) {
    member("first", span.first == 0 ? nil : WallTime(nanoseconds: span.first).iso8601)
    member("last", span.last == 0 ? nil : WallTime(nanoseconds: span.last).iso8601)
  }

  /// Returns a day as a date.
  private static func date(_ day: UInt64) -> String {
    let (nanoseconds, isBeyond) = day.multipliedReportingOverflow(by: 86_400_000_000_000)
    let time = WallTime(nanoseconds: isBeyond ? .max : nanoseconds).iso8601
    return String(time.prefix { $0 != "T" })
  }
}

import ReportTrials
import Testing

/// A report often does not say when things happened: what is told of it must not say so either.
@Suite struct UntoldTimeTests {
  private static func event(_ time: String, crumbs: [String]) -> String {
    let crumbs = zip(["foreground", "background"], crumbs).map { state, time in
      #"{"category":"app.lifecycle",\#(time)"data":{"state":"\#(state)"}}"#
    }
    return #"""
      {"event_id":"0a","platform":"cocoa",\#(time)"exception":{"values":[{"type":"EXC_BREAKPOINT",
      "value":"BUG IN CLIENT OF LIBDISPATCH: Assertion failed: Block was expected to execute on queue \#
      [com.apple.main-thread]","thread_id":3}]},"level":"fatal","breadcrumbs":[\#(crumbs.joined(separator: ","))],
      "threads":{"values":[{"id":3,"name":"org.orchard.sync","crashed":true}]}}
      """#
  }

  private static let crumbTimes = [
    #""timestamp":"2024-10-01T08:00:00Z","#, #""timestamp":"2024-10-01T08:00:05Z","#,
  ]
  private static let eventTime = #""timestamp":"2024-10-01T08:00:09Z","#

  private func reading(_ report: String) -> ReportReading {
    let scratch = Scratch()
    return ReportReading(path: scratch.write(Array(report.utf8)))
  }

  @Test func whereAllTimesAreToldTheyAreSaid() throws {
    let entries = reading(Self.event(Self.eventTime, crumbs: Self.crumbTimes)).entries
    let late = try #require(entries.first { $0.finding.rule == "ui-after-background" }).finding
    #expect(late.title.contains("ran 4 s after the process entered the background"))
    #expect(late.wall == 1_727_769_609_000_000_000)
    #expect(late.nearby.map(\.offset) == [-9_000_000_000, -4_000_000_000])
  }

  @Test(arguments: [
    event("", crumbs: ["", ""]), event("", crumbs: crumbTimes),
    event(eventTime, crumbs: [crumbTimes[0], ""]),
  ])
  func whatIsNotToldIsNotSaid(_ report: String) throws {
    let isToldWhen = report.contains(Self.eventTime)
    let entries = reading(report).entries
    let rules = Set(entries.map(\.finding.rule))
    #expect(rules == ["crash-cause", "isolation-trap", "ui-after-background"])
    for finding in entries.map(\.finding) {
      #expect((finding.wall != 0) == isToldWhen)
      #expect(finding.nearby.last?.offset == nil)
      for text in [finding.title] + finding.evidence.map(\.text) {
        #expect(!text.contains(/[0-9] (ns|µs|ms|s|min)\b/))
      }
    }
  }

  @Test func aCheckersReportHasNoTime() throws {
    let trial = try #require(ReportTrial.all.first { $0.file == "mtc-plain.txt" })
    for entry in ReportReading(path: trial.path).entries { #expect(entry.finding.wall == 0) }
  }
}

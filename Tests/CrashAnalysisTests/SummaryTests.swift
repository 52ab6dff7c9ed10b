import CrashAnalysis
import IncidentModel
import Testing

/// Merging summaries, of real logs.
@Suite(.serialized) struct SummaryTests {
  private func summaries() throws -> [Summary] {
    try ["off-main-ui", "unhopped-callback", "off-main-ui", "hop-storm", "plain-crash"].map {
      try Misbehaviour($0, isWrong: true).summary()
    }
  }

  private func merged(_ parts: some Sequence<Summary>) -> Summary {
    parts.reduce(into: Summary()) { $0.merge($1) }
  }

  @Test func mergingDoesNotDependOnOrder() throws {
    let parts = try summaries()
    let whole = merged(parts)
    for _ in 0..<20 { #expect(merged(parts.shuffled()) == whole) }
  }

  @Test func mergingDoesNotDependOnGrouping() throws {
    let parts = try summaries()
    let whole = merged(parts)
    for split in 1..<parts.count {
      #expect(merged([merged(parts[..<split]), merged(parts[split...])]) == whole)
    }
  }

  @Test func runsAreToldInTheOrderInWhichTheyBegan() throws {
    let report = Report(merged(try summaries().reversed()))
    #expect(report.recordings.map(\.opened) == report.recordings.map(\.opened).sorted())
  }

  @Test func mergingASummaryWithItselfChangesNothing() throws {
    let whole = merged(try summaries())
    #expect(merged([whole, whole]) == whole)
  }

  @Test func occurrencesOfManyRunsAddUp() throws {
    let parts = try (0..<3).map { _ in try Misbehaviour("off-main-ui", isWrong: true).summary() }
    let entry = try #require(Report(merged(parts)).entries.first)
    #expect(entry.recordings == 3)
    #expect(entry.count == 6)  // the violation and the marked work, in each run
  }

  @Test func laterReadingOfARecordingSupersedesTheEarlier() throws {
    let log = try Misbehaviour("hop-storm", isWrong: true).log
    let late = try analyzed(log, as: "late")
    // The same recording as it was at its beginning: another way to say so than to catch it there.
    var early = try analyzed(log, as: "early")
    early = try truncated(early)
    #expect(merged([early, late]).logs == late.logs)
    #expect(merged([late, early]).logs == late.logs)
    #expect(
      Report(merged([early, late])).entries.map(\.count) == Report(late).entries.map(\.count))
  }

  /// The summary as if less had been read: without counts, and less far.
  private func truncated(_ summary: Summary) throws -> Summary {
    var text = summary.json
    text = text.replacing(#/"events":[0-9]+/#, with: "\"events\":1")
    text = text.replacing(#/"extent":\{"events":1,"hasEnded":true,"monotonic":[0-9]+/#) { _ in
      "\"extent\":{\"events\":1,\"hasEnded\":false,\"monotonic\":1"
    }
    return try Summary(json: Array(text.utf8))
  }

  @Test func summarySurvivesItsFile() throws {
    let whole = merged(try summaries())
    #expect(try Summary(json: Array(whole.json.utf8)) == whole)
  }

  @Test func sizeDoesNotGrowWithTheCrumbs() throws {
    let storm = try Misbehaviour("hop-storm", isWrong: true).summary()
    #expect(storm.logs.values.first.map { $0.extent.events > 400 } == true)
    #expect(storm.json.utf8.count < 4000)
  }

  @Test func otherJSONIsNoSummary() {
    for text in [
      "", "{}", "[]", "null", "{\"schema\":\"crashscan-summary/2\",\"logs\":{},\"examples\":{}}",
    ] {
      #expect(throws: SummaryError.self) { try Summary(json: Array(text.utf8)) }
    }
  }
}

import LogReading
import CLogFormat
import CrashAnalysis
import HostileLogs
import IncidentModel
import ProcessTesting
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

  @Test func answersAreKeptMinuteByMinute() throws {
    let run = MadeUpRun()
    for slowest in [200, 61_000, 300] as [Int64] {
      run.add(
        .note, "answers",
        [
          ("executor", .string("main queue")), ("name", .string("")), ("beats", .integer(240)),
          ("median", .integer(128)), ("p99", .integer(256)), ("slowest", .integer(slowest)),
        ], category: "latency")
    }
    run.add(.note, "answers", [("executor", .string("main queue"))], category: "latency")
    let answers = try #require(try run.report().recordings.first?.answers)
    #expect(answers.map(\.executor) == ["the main queue"])
    #expect(answers.first?.minutes.map(\.slowest) == [200, 61_000, 300])
    #expect(answers.first?.worst.slowest == 61_000)
    #expect(answers.first?.worst.isLate == true)
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

  @Test("Another tool's report on the crash of a log is no second crash", arguments: [true, false])
  func reportOnLoggedCrash(isSame: Bool) throws {
    let log = try Misbehaviour("plain-crash", isWrong: true).summary()
    let (id, recording) = try #require(log.logs.first)
    let address = try #require(recording.faultAddress)
    var text = log.json.replacing(id, with: "of console.txt")
    text = text.replacing("\"format\":\"breadcrumbs\"", with: "\"format\":\"swift-backtrace\"")
    text = text.replacing(recording.input, with: "/tmp/console.txt")
    if !isSame { text = text.replacing("\(address)", with: "\(address ^ 0x1000)") }
    let report = try Summary(json: Array(text.utf8))
    for parts in [[log, report], [report, log]] {
      let both = Report(merged(parts))
      #expect(both.recordings.count == (isSame ? 1 : 2))
      #expect(both.entries.first?.recordings == (isSame ? 1 : 2))
      #expect(both.recordings.first?.sameCrash == (isSame ? ["/tmp/console.txt"] : nil))
    }
  }

  @Test func summarySurvivesItsFile() throws {
    let whole = merged(try summaries())
    #expect(try Summary(json: Array(whole.json.utf8)) == whole)
  }

  /// Notes, and violations at five places, in a log of about so many bytes.
  private func summary(ofLogWith bytes: Int) throws -> Summary {
    var forge = LogForge(size: bytes)
    while !forge.isFull {
      forge.chunk { chunk in
        var count = 0
        while chunk.crumb(MS_KIND_NOTE, "request \(count % 97)"), chunk.violation(count % 5) {
          count += 1
        }
      }
    }
    return try forge.finish().withUnsafeBytes { bytes in
      try Analyzer().analyze(
        LogReader(contents: bytes, name: "made up").events(), input: "made up")
    }
  }

  @Test(.long) func sizeDoesNotGrowWithTheCrumbs() throws {
    let small = try summary(ofLogWith: 1 << 18)
    let large = try summary(ofLogWith: 1 << 23)
    let (few, many) = (
      try #require(small.logs.values.first?.extent.events),
      try #require(large.logs.values.first?.extent.events)
    )
    #expect(many > 30 * few)
    #expect(small.examples.count == large.examples.count && small.examples.count >= 5)
    // Only the numbers themselves have more digits.
    #expect(large.json.utf8.count < small.json.utf8.count + 200)
  }

  @Test func sizeGrowsWithTheFindingsAndTheLogs() throws {
    let one = try Misbehaviour("hop-storm", isWrong: true).summary()
    #expect(one.logs.values.first.map { $0.extent.events > 400 } == true)
    let bytesOfOne = one.json.utf8.count
    // The same finding of many recordings: each adds its facts, and no example.
    let fleet = try (0..<20).map { try Summary(json: renamed(one, "recording \($0)")) }
    let whole = merged(fleet)
    #expect(whole.examples.count == one.examples.count)
    #expect(whole.json.utf8.count < bytesOfOne + 20 * 700)
  }

  /// The summary as if another recording had left it.
  private func renamed(_ summary: Summary, _ name: String) throws -> [UInt8] {
    let recording = try #require(summary.logs.keys.first)
    return Array(summary.json.replacing("\"\(recording)\":{", with: "\"\(name)\":{").utf8)
  }

  @Test func countsThatAreTooLargeAreTheLargestThereIs() throws {
    let one = try Misbehaviour("off-main-ui", isWrong: true).summary()
    let fingerprint = try #require(one.examples.keys.first)
    let text = one.json.replacing(
      try Regex("\"\(fingerprint)\":[0-9]+"), with: "\"\(fingerprint)\":\(Int.max)")
    let large = try Summary(json: Array(text.utf8))
    let other = try Summary(json: renamed(large, "another recording"))
    let entries = Report(merged([large, other])).entries
    #expect(entries.first { $0.fingerprint == fingerprint }?.count == .max)
  }

  @Test func otherJSONIsNoSummary() {
    for text in [
      "", "{}", "[]", "null", "{\"schema\":\"crashscan-summary/9\",\"logs\":{},\"examples\":{}}",
    ] {
      #expect(throws: SummaryError.self) { try Summary(json: Array(text.utf8)) }
    }
  }
}

extension ChunkForge {
  /// Appends a violation at one of several places.
  fileprivate mutating func violation(_ place: Int) -> Bool {
    crumb(
      MS_KIND_VIOLATION, "work \(place)",
      [
        ("expected", .text("main queue")), ("at", .text("App/File\(place).swift:1")),
        ("in", .text("work\(place)()")),
      ])
  }
}

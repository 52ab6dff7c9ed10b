import Foundation
import ProcessTesting
import Testing

/// What many hosts' logs say together, by the commands, of real logs.
@Suite(.serialized) struct FleetTests {
  private typealias Row = [String: Any]

  /// The summary of a program that misbehaves, as if it had come from a host.
  private func summary(_ way: String, host: String, release: String? = nil) throws -> String {
    let log = try logOfMisbehaviour(way)
    let summary = temporary("\(host).json")
    let place = ["--host", host] + (release.map { ["--release", $0] } ?? [])
    let run = try ChildProcess.run("crashscan", ["summarize", log, "--output", summary] + place)
    try #require(run.status == 0, "\(run.errors)")
    return summary
  }

  private func merged(_ summaries: [String], _ options: String...) throws -> String {
    let arguments = ["merge"] + summaries + ["--format", "fleet", "--fail-on", "never"] + options
    return try ChildProcess.run("crashscan", arguments).output
  }

  private func rows(_ text: String, _ kind: String) throws -> [Row] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? Row)
    }.filter { $0["row"] as? String == kind }
  }

  private func finding(_ text: String, _ rule: String) throws -> Row {
    try #require(try rows(text, "finding").first { $0["rule"] as? String == rule })
  }

  private func fleet() throws -> [String] {
    [
      try summary("plain-crash", host: "a", release: "1"),
      try summary("plain-crash", host: "b", release: "2"),
      try summary("off-main-ui", host: "a", release: "2"),
    ]
  }

  @Test func hostsReleasesAndStartsAreCounted() throws {
    let text = try merged(try fleet())
    let crash = try finding(text, "crash-cause")
    #expect(crash["logs"] as? Int == 2 && crash["starts"] as? Int == 3)
    #expect(crash["hostNames"] as? [String] == ["a", "b"])
    let releases = try #require(crash["releases"] as? [Row])
    #expect(releases.map { $0["release"] as? String } == ["1", "2"])
    #expect(releases.map { $0["starts"] as? Int } == [1, 2])
    let death = try #require(try rows(text, "death").first)
    #expect(death["kind"] as? String == "out-of-bounds" && death["logs"] as? Int == 2)
    #expect(try rows(text, "occurrence").count == 3)
    let logs = try rows(text, "log")
    #expect(logs.compactMap { $0["host"] as? String }.sorted() == ["a", "a", "b"])
    #expect(Set(logs.compactMap { $0["death"] as? String }) == ["out-of-bounds"])
  }

  @Test(.enabled(if: Validator.isAvailable, "needs python3 with jsonschema"))
  func rowsAreAsTheirSchemaSays() throws {
    let text = temporary("lost.txt")
    try "Nothing happened here.\n".write(toFile: text, atomically: true, encoding: .utf8)
    let lost = temporary("lost.json")
    _ = try ChildProcess.run("crashscan", ["summarize", text, "--output", lost])
    let table = try merged(try fleet() + [lost])
    #expect(try rows(table, "unread").count == 1)
    #expect(Validator.complaint(aboutRows: table) == nil)
    #expect(Validator.complaint(aboutRows: #"{"row":"fleet"}"#) != nil)
  }

  @Test func neitherOrderNorGroupingMatters() throws {
    let parts = try fleet()
    let whole = try merged(parts)
    let half = temporary("half.json")
    let options = ["--format", "summary", "--output", half]
    _ = try ChildProcess.run("crashscan", ["merge", parts[2], parts[1]] + options)
    #expect(try merged(parts.reversed()) == whole)
    #expect(try merged([half, parts[0], parts[1]]) == whole)
  }

  @Test func whatABaselineHasIsNotNew() throws {
    let parts = try fleet()
    let earlier = temporary("earlier.jsonl")
    try merged([parts[0]]).write(toFile: earlier, atomically: true, encoding: .utf8)
    let text = try merged(parts, "--baseline", earlier)
    #expect(try finding(text, "crash-cause")["isNew"] as? Bool == false)
    #expect(try finding(text, "off-main-ui")["isNew"] as? Bool == true)
  }

  @Test func crashesOfDifferentHostsAreNoLoop() throws {
    let apart = try ["a", "b", "c"].map { try summary("plain-crash", host: $0) }
    let rules = try rows(try merged(apart), "finding").map { $0["rule"] as? String }
    #expect(rules == ["crash-cause"])
    let together = try (0..<3).map { _ in try summary("plain-crash", host: "a") }
    let loop = try finding(try merged(apart + together), "crash-loop")
    #expect(loop["hostNames"] as? [String] == ["a"])
    #expect(loop["logs"] as? Int == 4 || loop["logs"] as? Int == 3)
  }

  /// A summary as if its recording had been made so many days earlier, under another name.
  private func moved(_ summary: String, days: UInt64) throws -> String {
    let nanoseconds = days * 86_400_000_000_000
    var text = try String(contentsOfFile: summary, encoding: .utf8)
    text.replace(#/"(first|last|opened|lastSeen|wall)":([0-9]{19})/#) { found in
      "\"\(found.1)\":\(UInt64(found.2)! - nanoseconds)"
    }
    let identity = try #require(text.firstMatch(of: #/"logs":\{"([0-9a-f]+)"/#)).1
    text.replace("\"\(identity)\"", with: "\"\(identity)\(days)\"")
    let path = temporary("earlier-\(days).json")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func trendIsToldByDay() throws {
    let today = try summary("off-main-ui", host: "a")
    let text = try merged([today, try moved(today, days: 1), try moved(today, days: 3)])
    let found = try finding(text, "off-main-ui")
    let days = try #require(found["days"] as? [Row])
    let (first, last) = (found["first"] as? String, found["last"] as? String)
    #expect(days.map { $0["logs"] as? Int } == [1, 1, 1])
    #expect(days.map { $0["count"] as? Int } == [2, 2, 2])
    #expect(days.first?["day"] as? String == first.map { String($0.prefix(10)) })
    #expect(days.last?["day"] as? String == last.map { String($0.prefix(10)) })
  }

  @Test func whatALogLacksIsCounted() throws {
    let log = try logOfMisbehaviour("hop-storm")
    let file = try #require(FileHandle(forWritingAtPath: log))
    let size = try file.seekToEnd()
    try file.truncate(atOffset: size / 2)
    let torn = temporary("torn.json")
    _ = try ChildProcess.run("crashscan", ["summarize", log, "--output", torn])
    let whole = try summary("off-main-ui", host: "a")
    let fleet = try #require(try rows(try merged([torn, whole]), "fleet").first)
    #expect(fleet["torn"] as? Int == 1 && fleet["logs"] as? Int == 2)
  }

  @Test func summariesOfEarlierVersionsAreTaken() throws {
    let now = try summary("off-main-ui", host: "a")
    var text = try String(contentsOfFile: now, encoding: .utf8)
    text.replace(#/"spans":\{[^}]*\}\},/#, with: "")
    text.replace(#/"gaps":\{[^}]*\},/#, with: "")
    text.replace(#/"host":"a",/#, with: "")
    let old = temporary("old.json")
    try text.write(toFile: old, atomically: true, encoding: .utf8)
    let found = try finding(try merged([old]), "off-main-ui")
    #expect(found["hosts"] as? Int == 0 && found["logs"] as? Int == 1)
    #expect(found["first"] is String)
  }

  @Test func aLogAloneIsReadWithoutThoseOfEarlierRuns() throws {
    let log = temporary("service.log")
    for _ in 0..<2 { _ = try ChildProcess.run("misbehave", ["off-main-ui", "right", log]) }
    for (options, count) in [([], 2), (["--alone"], 1)] {
      let summary = temporary("service.json")
      _ = try ChildProcess.run("crashscan", ["summarize", log, "--output", summary] + options)
      #expect(try rows(try merged([summary]), "log").count == count)
    }
  }
}

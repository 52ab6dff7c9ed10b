import CrashAnalysis
import Foundation
import IncidentModel
import ProcessTesting
import Testing

/// What many runs of one program say together, from real runs.
@Suite(.serialized) struct CrashLoopTests {
  private func report(_ ways: [Bool]) throws -> Report {
    var summary = Summary()
    for isWrong in ways {
      summary.merge(try Misbehaviour("plain-crash", isWrong: isWrong).summary())
    }
    return Report(summary)
  }

  @Test func threeCrashesInARowAreALoop() throws {
    let loop = try report([true, true, true]).entries.first { $0.finding.rule == "crash-loop" }
    #expect(loop?.finding.title.hasPrefix("misbehave died 3 times in a row") == true)
  }

  @Test func runThatEndsWellBreaksTheLoop() throws {
    let report = try report([true, true, false, true])
    #expect(!report.entries.contains { $0.finding.rule == "crash-loop" })
  }
}

/// What cannot be read of a real log.
struct TornLogTests {
  @Test func logThatWasCutIsSaidToBe() throws {
    let log = try Misbehaviour("off-main-ui", isWrong: false).log
    let bytes = try Data(contentsOf: URL(fileURLWithPath: log))
    try bytes.prefix(200_000).write(to: URL(fileURLWithPath: log))
    let report = Report(try analyzed(log))
    #expect(report.entries.map(\.finding.rule) == ["torn-log"])
    let evidence = report.entries.first?.finding.evidence ?? []
    #expect(evidence.contains { $0.text.contains("the file ends before it") })
  }

  @Test func logOfAKilledProcessIsNotTorn() throws {
    let report = try Misbehaviour("killed", isWrong: true).report()
    #expect(!report.entries.contains { $0.finding.rule == "torn-log" })
  }
}

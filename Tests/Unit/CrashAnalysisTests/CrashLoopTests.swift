import CrashAnalysis
import IncidentModel
import Testing

/// What many runs of one program say together, from real runs.
@Suite(.serialized) struct CrashLoopTests {
  private func isLoop(
    _ ways: [Bool], of names: [String] = ["plain-crash"], in folders: [String] = ["logs"]
  ) throws -> Bool {
    var summary = Summary()
    for (number, isWrong) in ways.enumerated() {
      let run = try Misbehaviour(names[number % names.count], isWrong: isWrong)
      let input = "\(folders[number % folders.count])/service.\(number).log"
      summary.merge(try analyzed(run.log, as: input))
    }
    return Report(summary).entries.contains { $0.finding.rule == "crash-loop" }
  }

  @Test func runsOfDifferentPlacesOrCausesAreNoLoop() throws {
    #expect(try !isLoop([true, true, true], in: ["a", "b", "c"]))
    #expect(try !isLoop([true, true, true], of: ["plain-crash", "killed", "plain-crash"]))
  }

  @Test func runThatEndsWellBreaksTheLoop() throws {
    #expect(try !isLoop([true, true, false, true]))
  }

  @Test func loopOfEndsWithoutARecordLeadsTheirWarning() throws {
    var summary = Summary()
    for number in 1...3 {
      let run = try Misbehaviour("killed", isWrong: true)
      summary.merge(try analyzed(run.log, as: "logs/service.\(number).log"))
    }
    let findings = Report(summary).entries.map(\.finding)
    #expect(findings.map(\.rule) == ["crash-loop", "unclean-end"])
    #expect(findings.map(\.severity) == [.error, .warning])
  }

  @Test func twoCrashesAreNoLoopYet() throws {
    #expect(try !isLoop([true, true]))
    #expect(try isLoop([true, true, true]))
  }
}

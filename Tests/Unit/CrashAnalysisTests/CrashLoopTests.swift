import CrashAnalysis
import IncidentModel
import Testing

/// What many runs of one program say together, from real runs.
@Suite(.serialized) struct CrashLoopTests {
  private func isLoop(_ ways: [Bool]) throws -> Bool {
    var summary = Summary()
    for isWrong in ways {
      summary.merge(try Misbehaviour("plain-crash", isWrong: isWrong).summary())
    }
    return Report(summary).entries.contains { $0.finding.rule == "crash-loop" }
  }

  @Test func runThatEndsWellBreaksTheLoop() throws {
    #expect(try !isLoop([true, true, false, true]))
  }

  @Test func twoCrashesAreNoLoopYet() throws {
    #expect(try !isLoop([true, true]))
    #expect(try isLoop([true, true, true]))
  }
}

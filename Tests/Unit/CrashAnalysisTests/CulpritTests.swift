import CrashAnalysis
import IncidentModel
import Testing

/// Findings of a fleet that begin in one function.
@Suite struct CulpritTests {
  private func death(_ number: Int, saying text: String, in function: String) throws -> Summary {
    let run = MadeUpRun(.killed)
    run.recording = "till \(number)"
    run.die(of: 4, saying: text, [run.thread(7, [function, "main"])])
    return try Analyzer().analyze(run, input: "till-\(number).log")
  }

  @Test func oneFunctionWithDifferentTitlesIsTold() throws {
    var summary = try death(1, saying: "Fatal error: Index out of range", in: "price(of:)")
    summary.merge(try death(2, saying: "Fatal error: Division by zero", in: "price(of:)"))
    summary.merge(try death(3, saying: "Fatal error: Division by zero", in: "total()"))
    summary.merge(try death(4, saying: "Fatal error: Division by zero", in: "total()"))
    let fleet = Fleet(Report(summary))
    #expect(fleet.culprits.map(\.function) == ["price(of:)"])
    #expect(fleet.culprits.first?.spread.logs == 2)
    #expect(fleet.culprits.first?.entries.count == 2)
    #expect(
      fleet.deaths.map { "\($0.kind) \($0.spread.logs)" }
        == ["division-by-zero 3", "out-of-bounds 1"])
  }
}

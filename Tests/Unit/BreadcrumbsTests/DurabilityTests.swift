import ProcessTesting
import Testing

@testable import Breadcrumbs

/// What is handed to the disk, and when.
struct DurabilityTests {
  private func run(_ durability: String) throws -> [String] {
    let scratch = try Scratch()
    let trial = try Program.run("recorder-trial", ["sync", scratch.log, durability])
    #expect(trial.exitStatus == 0)
    #expect(try scratch.incident().messages.contains("after a refusal"))
    return trial.lines
  }

  @Test func theMachinesDeathIsProvidedForByItself() throws {
    let lines = try run("machine")
    let counts = lines.first?.split(separator: " ").compactMap { Int($0) } ?? []
    #expect(counts.count == 2 && counts[0] >= 3 && counts[1] == 1, "files and directories")
  }

  @Test func theProcesssDeathNeedsNoDisk() throws {
    #expect(try run("process").first == "synced 0 0")
  }

  @Test func aDiskThatTakesNothingIsReportedAndStopsNobody() throws {
    #expect(try run("process").dropFirst() == ["flushed true", "flushed false"])
  }
}

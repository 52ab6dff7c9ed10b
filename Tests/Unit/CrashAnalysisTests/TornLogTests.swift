import CrashAnalysis
import Foundation
import IncidentModel
import Testing

/// What cannot be read of the log of a process that was killed, once it is damaged.
struct TornLogTests {
  private func titles(of damage: (inout Data) -> Void) throws -> [String] {
    let log = try Misbehaviour("killed", isWrong: true).log
    let file = URL(fileURLWithPath: log)
    var bytes = try Data(contentsOf: file)
    damage(&bytes)
    try bytes.write(to: file)
    let torn = Report(try analyzed(log)).entries.map(\.finding).filter { $0.rule == "torn-log" }
    return torn.flatMap { [$0.title] + $0.evidence.map(\.text) }
  }

  @Test func logThatWasCutIsSaidToBe() throws {
    let said = try titles { $0.removeSubrange(200_000...) }
    #expect(said.first?.hasPrefix("62144 bytes of the log") == true, "\(said)")
    #expect(said.contains { $0.contains("the file ends earlier") })
  }

  /// What is missing of the chunk that the cut went through is missing once.
  @Test func cutThroughAChunkIsOnePlace() throws {
    let said = try titles { $0.removeSubrange(5_000...) }
    #expect(said.first?.hasSuffix(" bytes of the log, in one place, could not be read") == true)
  }

  @Test func flippedBitIsFoundWhereItIs() throws {
    // Another crumb follows this one: the last might be one that the death interrupted.
    let said = try titles { bytes in
      let place = bytes.range(of: Data("working".utf8))!.lowerBound
      bytes[place] ^= 1
    }
    #expect(said.first?.hasSuffix("in one place, could not be read") == true, "\(said)")
    #expect(said.count == 2 && said[1].contains("damaged"), "\(said)")
  }

  @Test func logWhoseHeaderIsGoneStillTellsItsCrumbs() throws {
    let log = try Misbehaviour("off-main-ui", isWrong: true).log
    let file = URL(fileURLWithPath: log)
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(..<4096, with: Data(count: 4096))
    try bytes.write(to: file)
    let rules = Report(try analyzed(log)).entries.map(\.finding.rule)
    #expect(rules.contains("off-main-ui") && rules.contains("torn-log"), "\(rules)")
  }

  @Test func logOfAKilledProcessIsNotTorn() throws {
    #expect(try titles { _ in }.isEmpty)
  }
}

import ProcessTesting
import Testing

/// The torture program, in small doses; `make check-torture` gives large ones.
@Suite(.serialized)
struct TortureTests {
  @Test func killsLoseNothingThatWasAcknowledged() throws {
    let kills = isWholeRun ? 50 : 10
    let ending = try Program.run("torture", ["run", "\(kills)"])
    let verdict = try #require(ending.lines.last)
    #expect(verdict.hasPrefix("kills \(kills), acknowledged "))
    #expect(verdict.hasSuffix("lost 0, torn 0, twice 0"))
    #expect(ending.exitStatus == 0)
  }

  @Test func aReaderBesideFourWritersSeesNoTornCrumb() throws {
    let ending = try Program.run("torture", ["live", isWholeRun ? "2" : "1"])
    #expect(ending.exitStatus == 0)
    #expect(ending.lines.count == 2)
    for line in ending.lines { #expect(line.contains("torn 0, disordered 0"), "\(line)") }
  }

  /// Every byte and every length is for the release build, in `make test-all`; a few hundred are tried
  /// here.
  @Test(.long) func damageInventsNoCrumb() throws {
    let ending = try Program.run("torture", ["damage", "211"])
    #expect(ending.exitStatus == 0)
    #expect(
      ending.lines.last?.hasSuffix("invented 0, missing unsaid 0") == true, "\(ending.output)")
  }
}

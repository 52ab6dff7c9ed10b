import CrashAnalysis
import Glibc
import IncidentModel
import ProcessTesting
import Testing

private var canRunShortOfMemory: Bool {
  access("/proc/pressure/memory", R_OK) == 0 && MemoryGroup() != nil
}

/// Ends that the kernel brings about where memory is short, in a control group that has little.
@Suite(
  .serialized,
  .enabled(
    if: canRunShortOfMemory,
    "needs a kernel that reports stalls, and the right to make a control group that counts memory"))
struct OutOfMemoryTests {
  @Test func killForLackOfMemoryIsSaidToBeOne() throws {
    let group = try #require(MemoryGroup())
    let victim = try Misbehaviour("out-of-memory", isWrong: true, in: group)
    #expect(victim.end.signal == 9)
    let findings = try victim.report().entries.map(\.finding)
    #expect(findings.map(\.rule) == ["unclean-end"])
    #expect(findings.first?.severity == .error)
    #expect(findings.first?.title.hasSuffix("just after memory had run short") == true)
  }

  @Test func shortMemoryThatIsSurvivedIsNoFinding() throws {
    let group = try #require(MemoryGroup())
    let report = try Misbehaviour("out-of-memory", isWrong: false, in: group).report()
    #expect(report.entries.map(\.finding.title) == [])
  }

  @Test func killWithoutLackOfMemoryIsNotBlamedOnIt() throws {
    let group = try #require(MemoryGroup())
    let findings = try Misbehaviour("killed", isWrong: true, in: group).report().entries
    #expect(findings.map(\.finding.rule) == ["unclean-end"])
    #expect(findings.first?.finding.title.contains("memory") == false)
  }
}

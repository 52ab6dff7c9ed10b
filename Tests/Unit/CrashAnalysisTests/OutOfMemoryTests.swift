import CrashAnalysis
import Glibc
import IncidentModel
import ProcessTesting
import Testing

private var canRunShortOfMemory: Bool { MemoryGroup() != nil }

/// Ends that the kernel brings about where memory is short, in a control group that has little.
@Suite(
  .serialized,
  .enabled(
    if: canRunShortOfMemory,
    "needs the right to make a control group that counts memory"))
struct OutOfMemoryTests {
  @Test func killForLackOfMemoryIsSaidToBeOne() throws {
    let group = try #require(MemoryGroup())
    let victim = try Misbehaviour("out-of-memory", isWrong: true, in: group)
    #expect(victim.end.signal == 9)
    let before = try #require(try victim.ending())
    #expect(before.title.hasPrefix("The process was killed, or called _exit"))

    _ = try victim.runAgain(in: group)
    let after = try #require(try victim.ending())
    #expect(after.title == "The process was killed for lack of memory")
    #expect(after.severity == .error)
    #expect(after.evidence.contains { $0.text.hasPrefix("certain: the next run") })
  }

  /// Its log is the third by then, and the second tells of it.
  @Test(.long) func killIsStillToldWhenTwoRunsHaveFollowed() throws {
    let group = try #require(MemoryGroup())
    let victim = try Misbehaviour("out-of-memory", isWrong: true, in: group)
    for _ in 1...2 { _ = try victim.runAgain(in: group) }
    let kept = victim.log.replacing(".log", with: ".2.log")
    let ending = Report(try analyzed(kept)).entries.first?.finding
    #expect(ending?.title == "The process was killed for lack of memory")
  }

  /// A shell that is in the group too may have been the one, for all that the count says.
  @Test(.long) func killThatAnotherCanAccountForIsProbablyOne() throws {
    let group = try #require(MemoryGroup())
    let log = TestFiles.path("shared.log")
    let program = "\(ChildProcess.directory)/misbehave"
    let both = "\"$0\" out-of-memory wrong \"$1\"; \"$0\" killed right \"$1\""
    _ = try ChildProcess.run(
      path: "/bin/sh", group.command + ["/bin/sh", "-c", both, program, log])
    let kept = log.replacing(".log", with: ".1.log")
    let ending = Report(try analyzed(kept)).entries.first?.finding
    #expect(ending?.title == "The process was probably killed for lack of memory")
  }

  @Test(.long) func nextRunInAnotherGroupKnowsNothingOfIt() throws {
    let group = try #require(MemoryGroup())
    let victim = try Misbehaviour("out-of-memory", isWrong: true, in: group)
    _ = try victim.runAgain(in: nil)
    #expect(try victim.ending()?.title.contains("memory") == false)
  }

  /// The count had risen before the run began.
  @Test(.long) func killAfterAnEarlierLackOfMemoryIsNotBlamedOnIt() throws {
    let group = try #require(MemoryGroup())
    _ = try Misbehaviour("out-of-memory", isWrong: true, in: group)
    let victim = try Misbehaviour("killed", isWrong: true, in: group)
    _ = try victim.runAgain(in: group)
    #expect(try victim.ending()?.title.contains("memory") == false)
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

extension Misbehaviour {
  /// The program once more, which ends by itself.
  fileprivate func runAgain(in group: MemoryGroup?) throws -> ChildProcess {
    let program = "\(ChildProcess.directory)/misbehave"
    guard let group else {
      return try ChildProcess.run(path: program, ["killed", "right", log], [:])
    }
    return try ChildProcess.run(
      path: "/bin/sh", group.command + [program, "killed", "right", log], [:])
  }

  /// What is found of how the run ended that this value tells of.
  fileprivate func ending() throws -> Finding? {
    let found = try report().entries.map(\.finding)
    #expect(found.map(\.rule) == ["unclean-end"])
    return found.first
  }
}

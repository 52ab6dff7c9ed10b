import CrashAnalysis
import IncidentModel
import Testing

/// One cause is one finding, which leads; what only looks like a cause is none.
struct ChainTests {
  private func hang(_ run: MadeUpRun) {
    run.add(
      .hang, "the main queue does not answer",
      [("milliseconds", .integer(2_000)), ("doing", .string("blocked"))],
      stack: ["libc.so.6!usleep", "draw()"])
  }

  private func lose(_ run: MadeUpRun) {
    run.add(
      .error,
      "SWIFT TASK CONTINUATION MISUSE: price(of:) leaked its continuation without resuming it.",
      category: "swift-runtime", stack: ["ask()"])
  }

  @Test func whatHeldTheProcessTellsOfItsEnd() throws {
    let run = MadeUpRun(.killedInHang)
    hang(run)
    let findings = try run.report().entries.map(\.finding)
    #expect(findings.map(\.rule) == ["main-blocked"])
    #expect(
      findings[0].chain?.map(\.part) == [.cause, .end] && findings[0].title.hasSuffix(" → killed"))
    #expect(findings[0].merged?.map(\.rule) == ["unclean-end"])
    #expect(findings[0].alternatives?.contains { $0.what == "a crash" } == true)
  }

  @Test func twoCausesAreTwoFindings() throws {
    let run = MadeUpRun(.killedInHang)
    lose(run)
    hang(run)
    let findings = try run.report().entries.map(\.finding)
    #expect(findings.map(\.rule) == ["main-blocked", "leaked-continuation"])
    #expect(findings[1].chain?.contains { $0.part == .end } == false)
  }

  @Test func aLossOutsideRequestsLosesNone() throws {
    let run = MadeUpRun(.killed)
    run.add(
      .note, "request begins", [("request", .string("GET /slow")), ("requestID", .string("1"))],
      category: "request")
    lose(run)
    let findings = try run.report().entries.map(\.finding)
    #expect(findings[0].rule == "leaked-continuation")
    #expect(findings[0].chain?.contains { $0.text.contains("never answered") } == false)
  }

  @Test func anEndWithoutALinkOnlyCameAfter() throws {
    let run = MadeUpRun(.terminated(signal: 15))
    run.signs.takesAsk = true
    lose(run)
    run.add(.lifecycle, "will terminate", [("signal", .string("SIGTERM"))])
    let findings = try run.report().entries.map(\.finding)
    #expect(findings[0].rule == "leaked-continuation")
    #expect(findings[0].chain?.contains { $0.part == .effect } == false)
    #expect(findings[0].chain?.last?.part == .afterwards, "\(findings[0].title)")
  }

  @Test func aKillForMemoryIsNoHangs() throws {
    let run = MadeUpRun(.outOfMemory(.certain))
    hang(run)
    let findings = try run.report().entries.map(\.finding)
    #expect(findings.first?.title == "The process was killed for lack of memory")
    #expect(findings.count == 2)
  }

  @Test func aHangThatEndedIsNoCauseOfTheEnd() throws {
    let run = MadeUpRun(.killed)
    hang(run)
    run.add(.hang, "answers again", [("milliseconds", .integer(3_000))])
    let findings = try run.report().entries.map(\.finding)
    #expect(findings.first?.rule == "unclean-end" && findings.count == 2)
    #expect(findings.allSatisfy { $0.merged == nil })
  }
}

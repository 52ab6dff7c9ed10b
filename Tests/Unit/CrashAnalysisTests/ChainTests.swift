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

  @Test func anExitDuringAHangFollowsIt() throws {
    let run = MadeUpRun(.clean)
    run.signs.exitStatus = 1
    lose(run)
    hang(run)
    let findings = try run.report().entries.map(\.finding)
    #expect(findings.map(\.rule) == ["main-blocked", "leaked-continuation"])
    #expect(findings[0].title.hasSuffix("; then the process exited with status 1"))
    #expect(findings[0].merged?.map(\.rule) == ["unclean-end"])
  }

  @Test func aRestartOfTheMachineDuringAHangFollowsIt() throws {
    let run = MadeUpRun(.reboot)
    hang(run)
    let findings = try run.report().entries.map(\.finding)
    #expect(findings.map(\.rule) == ["main-blocked"] && findings[0].severity == .error)
    #expect(findings[0].chain?.last?.part == .afterwards, "\(findings[0].title)")
  }

  @Test func anExitWithoutAHangIsItsOwnFinding() throws {
    let lost = MadeUpRun(.clean)
    lost.signs.exitStatus = 1
    lose(lost)
    #expect(
      try lost.report().entries.map(\.finding.rule) == ["unclean-end", "leaked-continuation"])
    let over = MadeUpRun(.clean)
    over.signs.exitStatus = 1
    hang(over)
    over.add(.hang, "answers again", [("milliseconds", .integer(3_000))])
    #expect(try over.report().entries.map(\.finding.rule) == ["unclean-end", "main-blocked"])
    let successful = MadeUpRun(.clean)
    successful.signs.exitStatus = 0
    hang(successful)
    let finding = try #require(try successful.report().entries.first?.finding)
    #expect(finding.rule == "main-blocked" && finding.merged == nil)
  }

  @Test func aProbableCauseIsAsSevereAsItsEffects() throws {
    let run = MadeUpRun(.crash(signal: 6, .certain))
    run.add(
      .hang, "the main queue does not answer",
      [("milliseconds", .integer(2_000)), ("doing", .string("blocked"))],
      stack: ["libdispatch.so!_dispatch_sema4_wait", "Board.show()"])
    let main = [
      "libdispatch.so!_dispatch_sema4_wait", "Board.show()",
      "libdispatch.so!_dispatch_main_queue_drain", "main",
    ]
    let worker = ["libdispatch.so!__DISPATCH_WAIT_FOR_QUEUE__", "Stock.book(_:)"]
    run.die(
      of: 6, sentBy: 99, [run.thread(3, onMain: .yes, main), run.thread(1, queue: 1, worker)])
    let findings = try run.report().entries.map(\.finding)
    #expect(findings.map(\.rule) == ["sync-deadlock"] && findings[0].severity == .error)
    #expect(findings[0].merged?.contains { $0.rule == "main-blocked" } == true)
  }

  /// Every end of a run, with a condition that lasts beside one that has ended.
  @Test func noWarningLeadsWhileAnErrorExplainsTheEnd() throws {
    let endings: [RunEnding] = [
      .clean, .terminated(signal: 15), .killedInHang, .killed, .reboot, .crash(signal: 6, .certain),
    ]
    for ending in endings {
      let run = MadeUpRun(ending)
      (run.signs.exitStatus, run.signs.takesAsk) = (1, true)
      run.add(.violation, "rows", [("expected", .string("queue store"))], stack: ["Rows.read()"])
      hang(run)
      if ending == .crash(signal: 6, .certain) { run.die(of: 6, sentBy: 99) }
      let findings = try run.report().entries.map(\.finding)
      #expect(findings.first?.rule == "main-blocked", "\(ending): \(findings.map(\.title))")
      #expect(findings.first?.severity == .error)
      #expect(!findings.contains { $0.rule == "unclean-end" }, "\(ending)")
    }
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

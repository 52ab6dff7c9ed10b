import CLogFormat
import CrashAnalysis
import IncidentModel
import Testing

/// Calls of hops whose queue never runs, as the main queue under the main loop of another library.
@Suite struct UndeliveredHopTests {
  private func run(_ ending: RunEnding = .clean) -> MadeUpRun {
    let run = MadeUpRun(ending)
    arrive(1, in: run)
    return run
  }

  private func arrive(_ hop: UInt64, named name: String = "rows", in run: MadeUpRun) {
    run.add(
      .hop, MS_WORD_ARRIVAL,
      [(MS_KEY_NAME, .string(name)), (MS_KEY_SITE, .string("App/Rows.swift:7"))], hop: hop)
  }

  private func pass(_ hop: UInt64, after nanoseconds: Int64, in run: MadeUpRun) {
    run.add(.hop, MS_WORD_RUN, [(MS_KEY_NANOSECONDS, .integer(nanoseconds))], hop: hop)
  }

  private func wait(in run: MadeUpRun, seconds: Int = 2) {
    for _ in 1...seconds { run.add(.note, "working") }
  }

  @Test(arguments: [RunEnding.clean, .running])
  func aCallThatWaitsUntilTheEndIsReported(ending: RunEnding) throws {
    let run = run(ending)
    // This call runs where it arrives, which proves nothing about the queue.
    arrive(2, in: run)
    pass(2, after: 0, in: run)
    arrive(3, in: run)
    wait(in: run)
    let entry = try #require(try run.report().entries.first)
    #expect(
      entry.finding.title
        == "No call of hop “rows” was delivered: the first one had waited for 5 s at the end")
    #expect(entry.finding.rule == "late-delivery" && entry.finding.severity == .warning)
    #expect(entry.finding.culprit?.line == 7 && entry.finding.fix.text.contains("g_idle_add"))
    #expect(entry.count == 2)
  }

  @Test func aYoungCallIsNot() throws {
    let run = run()
    wait(in: run, seconds: 1)
    #expect(try run.finding("late-delivery") == nil)
  }

  @Test func aHopThatDeliveredOnceHasARunningQueue() throws {
    let run = run()
    pass(1, after: 4_000, in: run)
    arrive(2, in: run)
    wait(in: run)
    #expect(try run.finding("late-delivery") == nil)
  }

  @Test func aHopThatDroppedACallHasARunningQueue() throws {
    let run = run()
    arrive(2, in: run)
    run.add(.hop, MS_WORD_DROP, hop: 2)
    wait(in: run)
    #expect(try run.finding("late-delivery")?.severity == .note)
  }

  @Test func aLogThatLacksCrumbsProvesNothing() throws {
    let run = run()
    run.losses.recycled = [.note: 1]
    wait(in: run)
    #expect(try run.finding("late-delivery") == nil)
  }

  @Test func aCrashOrAKillIsAnotherReasonNotToRun() throws {
    let killed = run(.killed)
    wait(in: killed)
    #expect(try killed.finding("late-delivery") == nil)
    let crashed = run()
    wait(in: crashed)
    crashed.die(of: 11, [crashed.thread(1, ["Till.open() at 3"])])
    #expect(try crashed.finding("late-delivery") == nil)
  }

  @Test func aHangIsAnotherReasonNotToRun() throws {
    let run = run()
    run.add(
      .hang, MS_WORD_DOES_NOT_ANSWER,
      [("milliseconds", .integer(2_000)), ("doing", .string("blocked"))], category: "main queue",
      stack: ["Till.open() at 3"])
    wait(in: run)
    #expect(try run.finding("late-delivery") == nil)
  }
}

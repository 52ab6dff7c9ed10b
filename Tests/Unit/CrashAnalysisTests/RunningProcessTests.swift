import IncidentModel
import Testing

@testable import CrashAnalysis

@Suite("A picture of a process, with its log") struct RunningProcessTests {
  private static let second: UInt64 = 1_000_000_000

  private func stack(awaiting callers: [String], in run: MadeUpRun) -> Stack {
    Stack(
      frames: run.stack(callers).frames.map { .asyncCaller($0.recorded) }, end: .complete)
  }

  /// A service whose task waits for a continuation, so many seconds after it was asked to end.
  private func ending(after seconds: UInt64) -> MadeUpRun {
    let run = MadeUpRun(.running)
    run.format = "process"
    run.signs.takesAsk = true
    let desk: (key: String, value: CrumbValue) = ("service", .string("desk"))
    run.add(.note, "service begins", [desk, ("type", .string("Desk"))], category: "service")
    run.add(.lifecycle, "will terminate", [("signal", .string("SIGTERM"))], at: 10 * Self.second)
    run.add(.note, "service is asked to end", [desk], category: "service", at: 10 * Self.second)
    run.signs.aliveMonotonic = (10 + seconds) * Self.second
    var picture = TaskPicture()
    picture.tasks = [
      PictureTask(
        id: 4, address: 64, priority: .init(rawValue: 21),
        state: .waiting(.continuation(.init(objects: 1))),
        stack: stack(awaiting: ["Turnstile.empty() at 22", "Desk.run() at 74"], in: run))
    ]
    run.picture = ProcessPicture(wall: 1, stop: .stopped(1), threads: [])
    run.picture?.tasks = picture
    return run
  }

  @Test("The task that holds up a shutdown is named while the process still runs")
  func shutdown() throws {
    let report = try ending(after: 20).report()
    #expect(
      report.recordings.first?.manner == "was asked to end 20 s ago by SIGTERM, still running")
    let finding = try #require(report.entries.first?.finding)
    #expect(report.entries.count == 1)
    #expect(finding.rule == "unclean-end" && finding.severity == .error)
    #expect(
      finding.title
        == "Service “desk” waits in Turnstile.empty() (Till.swift:22) → the shutdown has to wait → still running 20 s after SIGTERM"
    )
    #expect(
      finding.evidence.map(\.text).prefix(3).contains(
        "service “desk” was asked to end 20 s ago, and has not ended"))
    #expect(finding.evidence.contains { $0.text.hasPrefix("a task waits for a continuation") })
  }

  @Test("A shutdown of a few seconds is no finding")
  func quickShutdown() throws {
    let report = try ending(after: 4).report()
    #expect(
      report.recordings.first?.manner == "was asked to end 4 s ago by SIGTERM, still running")
    #expect(report.entries.map(\.finding.title) == [])
  }

  /// The hang of a pool whose two threads wait for each other’s locks, as the log and the picture show it.
  private func deadlock() -> MadeUpRun {
    let run = MadeUpRun(.running)
    run.format = "process"
    let lock = ["libc.so.6!__lll_lock_wait", "libc.so.6!pthread_mutex_lock"]
    let stacks = [
      7: lock + ["Manifest.deck() at 12", "Deck.assign() at 30"],
      8: lock + ["Deck.metres() at 40", "Manifest.close() at 22"],
    ]
    func add(_ message: String, _ thread: Int, _ more: [(key: String, value: CrumbValue)]) {
      run.add(
        .hang, message,
        [
          ("milliseconds", .integer(2_000)), ("doing", .string("blocked")),
          ("name", .string("medium")), ("threads", .integer(2)),
          ("thread", .integer(Int64(thread))),
        ] + more, category: "pool", stack: stacks[thread] ?? [])
    }
    add("does not answer", 7, [])
    add("holds it too", 8, [])
    add("holds its lock", 8, [("waiter", .integer(7))])
    add("holds its lock", 7, [("waiter", .integer(8))])
    var picture = TaskPicture()
    for (thread, lock) in [(7, 0x10), (8, 0x20)] as [(Int, UInt64)] {
      var told = PictureThread(kernelID: thread)
      told.wait = .lock(lock)
      picture.threads.append(told)
    }
    picture.locks = [0x10: 8, 0x20: 7]
    run.picture = ProcessPicture(
      wall: 1, stop: .stopped(1), threads: [7, 8].map { run.thread($0, stacks[$0] ?? []) })
    run.picture?.tasks = picture
    return run
  }

  @Test("The hang of a pool in the log and the cycle of locks in the picture are one finding")
  func cycle() throws {
    let findings = try deadlock().report().entries.map(\.finding)
    #expect(findings.map(\.rule) == ["sync-deadlock"], "\(findings.map(\.title))")
    let finding = try #require(findings.first)
    #expect(finding.title.hasPrefix("Two threads wait for each other in Manifest.deck()"))
    #expect(finding.merged?.map(\.rule) == ["pool-blocked"])
    #expect(finding.fix.text.hasPrefix("Take the locks in the same order"))
    let steps = finding.cause.map { "\($0.text) @\($0.place?.line ?? 0)" }
    #expect(
      steps == [
        "ran @30", "holds a lock and waits for a lock that thread 8 holds @12",
        "ran @22", "holds a lock and waits for a lock that thread 7 holds @40",
      ], "\(steps)")
  }
}

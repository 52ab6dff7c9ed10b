import CrashAnalysis
import Glibc
import IncidentModel
import ProcessTesting
import Testing

@Suite struct ReentrancyTests {
  @Test(
    "A crash after an await, while other tasks were inside the actor, names both places",
    .enabled(if: !isSanitized),
    arguments: [
      ("reentered", "Seats.reserve(_:)"), ("reentered-by-call", "Seats.reserveByCall(_:)"),
      ("reentered-elsewhere", "Seats.cancel()"),
    ])
  func realCrash(scene: String, inside: String) throws {
    let finding = try crash(in: scene)
    let merged = try #require(finding.merged?.first { $0.rule == "actor-reentrancy" })
    #expect(
      merged.title.contains(
        "The state of Seats probably changed across an await: 2 other tasks were inside \(inside)"))
    let chain = try #require(finding.chain)
    #expect(chain.map(\.part) == [.cause, .effect, .end])
    let (awaited, died) = (try #require(chain[0].place), try #require(chain[1].place))
    #expect(awaited.function == inside && awaited.source?.contains("await ask") == true)
    #expect(died.source?.contains("free.popLast()!") == true)
    #expect(finding.evidence.contains { $0.place == awaited })
    #expect(!finding.fix.text.isEmpty)
  }

  @Test(
    "Other crashes are not due to re-entrancy", .enabled(if: !isSanitized),
    arguments: [
      "before-await", "of-argument", "nonisolated", "other-type", "struct", "struct-on-actor",
      "global-actor", "alone",
      "before-its-turn",
    ])
  func otherCrash(scene: String) throws {
    let finding = try crash(in: scene)
    #expect(finding.merged == nil && finding.chain?.map(\.part) == [.cause, .end])
  }

  @Test("The stacks of an optimized build, whose helper is inlined, show the same")
  func inlinedHelper() throws {
    let finding = try #require(
      try run(
        ["Seats.take(_:)", "Seats.reserve(_:)TY2_ at 9"], waiting: "Seats.reserve(_:)TQ1_ at 8"
      )
      .finding("crash-cause"))
    #expect(finding.merged?.map(\.rule) == ["actor-reentrancy"])
    #expect(finding.chain?.first?.place?.line == 8)
  }

  @Test(
    "Neither the first part of a method, nor the turn that comes before it, is after an await",
    arguments: [
      (
        ["Seats.reserve(_:)TY0_ at 9"], "Seats.reserve(_:)TQ1_ at 8", WaitingTasks.Kind.continuation
      ),
      (["Seats.reserve(_:)TY2_ at 9"], "Seats.reserve(_:)TY0_ at 7", .turn),
      (["Seats.reserve(_:)TY2_ at 9"], "Tables.reserve(_:)TQ1_ at 8", .continuation),
      (["Seats.reserve(_:)TY2_ at 9"], "other!Seats.reserve(_:)TQ1_ at 8", .continuation),
      (["Seats.reserve(_:)TY2_ at 9"], "static Seats.make()TQ1_ at 8", .continuation),
      (["Price.add()", "Seats.reserve(_:)TY2_ at 9"], "Seats.reserve(_:)TQ1_ at 8", .continuation),
    ])
  func others(stack: [String], wait: String, kind: WaitingTasks.Kind) throws {
    let finding = try #require(try run(stack, waiting: wait, for: kind).finding("crash-cause"))
    #expect(finding.merged == nil)
  }

  @Test(
    "A death that no state of an actor explains is not due to re-entrancy",
    arguments: [
      "Simultaneous accesses to 0x7f00, but modification requires exclusive access.",
      "SWIFT TASK CONTINUATION MISUSE: f() tried to resume its continuation more than once",
      "",
    ])
  func deaths(message: String) throws {
    let finding = try run(
      ["Seats.reserve(_:)TY2_ at 9"], waiting: "Seats.reserve(_:)TQ1_ at 8", saying: message
    ).finding("crash-cause")
    #expect(finding?.merged == nil)
  }

  /// A run that died in a task on actor Seats, while three other tasks waited.
  private func run(
    _ stack: [String], waiting wait: String, for kind: WaitingTasks.Kind = .continuation,
    saying message: String =
      "Fatal error: Unexpectedly found nil while unwrapping an Optional value"
  ) -> MadeUpRun {
    let run = MadeUpRun(.crash(signal: 4, .certain))
    run.die(of: 4, saying: message, [run.thread(2, stack)])
    var task = CrashTask(id: 9)
    task.place = .actor("till.Seats")
    run.crash?.task = task
    run.crash?.waiting = WaitingTasks(tasks: 3, unread: 0)
    run.crash?.waiting?.places = [
      WaitingTasks.Place(
        kind: kind, executor: kind == .turn ? 0x40 : 0, type: "", tasks: 3, task: 7,
        stack: Stack(
          frames: run.stack([wait]).frames.map { .asyncCaller($0.recorded) }, end: .complete))
    ]
    return run
  }

  private func crash(in scene: String) throws -> Finding {
    let log = TestFiles.path("\(scene).log")
    let ended = try ChildProcess.run(
      "waiting", [scene, log], environment: ["SWIFT_BACKTRACE": "enable=no"])
    try #require(ended.signal == SIGILL, "\(ended.signal) \(ended.status) \(ended.errors)")
    let findings = Report(try analyzed(log)).entries.map(\.finding)
    #expect(findings.count { $0.severity > .note } == 1, "\(findings.map(\.title))")
    return try #require(findings.first { $0.rule == "crash-cause" })
  }
}

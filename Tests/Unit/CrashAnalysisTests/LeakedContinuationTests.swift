import CrashAnalysis
import IncidentModel
import Testing

@Suite struct LeakedContinuationTests {
  @Test("That a task waits for a continuation is no finding")
  func waits() throws {
    #expect(try findings(in: [place(tasks: 400)]).isEmpty)
  }

  @Test("The places where most tasks waited stand below the crash, but for sleeps and loops")
  func standsBelowTheCrash() throws {
    let sleep = "libswift_Concurrency.so!Task.sleep(for:)"
    let next = "libswift_Concurrency.so!AsyncStream.Iterator.next(isolation:)"
    let waits = [
      place(tasks: 9, in: [sleep, "poll()"]), place(tasks: 8, in: [next, "serve()"]),
      place(tasks: 7), place(tasks: 1, in: ["Queue.next()", "drain()"]),
    ]
    let crash = try #require(try report(of: waits).first { $0.rule == "crash-cause" })
    let seen = crash.evidence.filter { $0.text.hasPrefix("also seen: ") }
    #expect(
      seen.map(\.text) == [
        "also seen: 7 tasks wait for a continuation, the first is task 7",
        "also seen: task 7 waits for a continuation",
      ])
    #expect(seen.map { $0.place?.function } == ["load()", "Queue.next()"])
  }

  @Test("Memory that was not searched in time is told below the crash")
  func gap() throws {
    let crash = try report(of: [place(tasks: 7)], unread: 3 << 20).first {
      $0.rule == "crash-cause"
    }
    #expect(
      crash?.evidence.contains {
        $0.text == "3 MiB of memory were not searched in time: more tasks may wait"
      } == true)
  }

  @Test(
    "What the runtime said is an error of whoever dropped it, else of the function that it names",
    arguments: [
      (["libswiftCore.so!_swift_release_dealloc", "Downloads.forget()"], "Downloads.forget()"),
      (["libswiftCore.so!_swift_release_dealloc", "libdispatch.so!_Block_release"], "load()"),
      ([], "load()"),
    ])
  func saidByTheRuntime(stack: [String], culprit: String) throws {
    let run = MadeUpRun(.clean)
    run.add(
      .error,
      "SWIFT TASK CONTINUATION MISUSE: load() leaked its continuation without resuming it.",
      category: "swift-runtime", stack: stack)
    let finding = try #require(try run.finding("leaked-continuation"))
    #expect(finding.severity == .error && finding.culprit?.function == culprit)
    #expect(finding.evidence.contains { $0.place?.function == culprit } == (culprit != "load()"))
  }

  private struct Wait {
    var tasks: Int
    var functions: [String]
  }

  private func place(
    tasks: Int,
    in functions: [String] = ["libswift_Concurrency.so!withCheckedContinuation", "load()"]
  ) -> Wait {
    Wait(tasks: tasks, functions: functions)
  }

  private func findings(in waits: [Wait]) throws -> [Finding] {
    try report(of: waits).filter { $0.rule == "leaked-continuation" }
  }

  private func report(of waits: [Wait], unread: UInt64 = 0) throws -> [Finding] {
    let run = MadeUpRun(.crash(signal: 3, .certain))
    var crash = Crash(
      monotonic: 10_000_000_000, wall: 10_000_000_000, signal: 3, code: 0, address: nil,
      sender: nil,
      kernelID: 1)
    crash.stage = .recorded
    crash.waiting = WaitingTasks(tasks: waits.reduce(0) { $0 + $1.tasks }, unread: unread)
    crash.waiting?.places = waits.map { wait in
      let stack = run.stack(wait.functions)
      let frames = stack.frames.map { FrameAddress.asyncCaller($0.recorded) }
      return WaitingTasks.Place(
        kind: .continuation, executor: 0, type: "", tasks: wait.tasks, task: 7,
        stack: Stack(frames: frames, end: .complete))
    }
    run.crash = crash
    let summary = try Analyzer().analyze(run, input: "till")
    return Report(summary).entries.map(\.finding)
  }
}

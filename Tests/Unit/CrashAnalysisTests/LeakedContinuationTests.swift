import CrashAnalysis
import IncidentModel
import Testing

/// What only the age of a wait says, and what it does not.
@Suite struct LeakedContinuationTests {
  @Test("A task that waited long at the end, in one place for the first time, is a note")
  func longWait() throws {
    let found = try findings(in: [place(seconds: 300)])
    #expect(found.map(\.severity) == [.note])
    #expect(found.first?.title == "A task had waited in load() for 5 min at the end of the run")
  }

  @Test("A loop, a short wait, a sleep and a wait for anything else are none")
  func lookAlikes() throws {
    #expect(try findings(in: [place(seconds: 7200, isLoop: true)]).isEmpty)
    #expect(try findings(in: [place(seconds: 59)]).isEmpty)
    let sleeps = ["libswift_Concurrency.so!Task.sleep(for:)", "load()"]
    #expect(try findings(in: [place(seconds: 7200, in: sleeps)]).isEmpty)
    #expect(try findings(in: [place(seconds: 7200, kind: .task)]).isEmpty)
    #expect(try findings(in: [place(seconds: 7200, kind: .turn)]).isEmpty)
  }

  @Test("Who waited stands below the crash, but for loops")
  func standsBelowTheCrash() throws {
    let waits = [place(seconds: 3), place(seconds: 7200, isLoop: true)]
    let crash = try #require(try report(of: waits).first { $0.rule == "crash-cause" })
    let seen = crash.evidence.filter { $0.text.hasPrefix("also seen: ") }
    #expect(seen.map(\.text) == ["also seen: task 7 waits for a continuation, 3 s so far"])
    #expect(seen.first?.place?.function == "load()")
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
    var kind: WaitingTasks.Kind
    var seconds: UInt64
    var isLoop: Bool
    var functions: [String]
  }

  private func place(
    seconds: UInt64, isLoop: Bool = false, kind: WaitingTasks.Kind = .continuation,
    in functions: [String] = ["libswift_Concurrency.so!withCheckedContinuation", "load()"]
  ) -> Wait {
    Wait(kind: kind, seconds: seconds, isLoop: isLoop, functions: functions)
  }

  private func findings(in waits: [Wait]) throws -> [Finding] {
    try report(of: waits).filter { $0.rule == "leaked-continuation" }
  }

  private func report(of waits: [Wait]) throws -> [Finding] {
    let run = MadeUpRun(.crash(signal: 3, .certain))
    var crash = Crash(
      monotonic: 10_000_000_000, wall: 10_000_000_000, signal: 3, code: 0, address: nil,
      sender: nil,
      kernelID: 1)
    crash.stage = .recorded
    crash.waiting = WaitingTasks(tasks: waits.count, missed: 0)
    crash.waiting?.places = waits.map { wait in
      let stack = run.stack(wait.functions)
      let frames = stack.frames.map { FrameAddress.asyncCaller($0.recorded) }
      return WaitingTasks.Place(
        kind: wait.kind, executor: 0, type: "", tasks: 1, oldest: wait.seconds * 1_000_000_000,
        newest: wait.seconds * 1_000_000_000, task: 7, isLoop: wait.isLoop,
        stack: Stack(frames: frames, end: .complete))
    }
    run.crash = crash
    let summary = try Analyzer().analyze(run, input: "till")
    return Report(summary).entries.map(\.finding)
  }
}

import ProcessTesting
import Testing
import VictimTrials

@Suite("A process that dies", .enabled(if: !isSanitized))
struct DeathTests {
  @Test(
    "dies as it would have, and its log says of what",
    arguments: trials)
  func leavesItsCrash(trial: Trial) throws {
    var runner = try TrialRunner(
      executable: ChildProcess.directory + "/victim", isDebug: isDebugBuild)
    defer { runner.finish() }
    let result = try runner.run(trial)
    #expect(result.failures.isEmpty, "\(result.failures)\n\(result.summary)")
  }

  @Test(
    "for lack of memory is told of when the next run begins",
    .enabled(if: canBeShortOfMemory),
    arguments: Trial.shortOfMemory)
  func isToldOfLackOfMemory(trial: Trial) throws { try leavesItsCrash(trial: trial) }
}

private let trials = (isWholeRun ? Trial.quick : Trial.oneForEachSignal).filter {
  TrialRunner.obstacle(to: $0) == nil
}

private var canBeShortOfMemory: Bool {
  Trial.shortOfMemory.allSatisfy { TrialRunner.obstacle(to: $0) == nil }
}

private var isDebugBuild: Bool {
  #if DEBUG
    true
  #else
    false
  #endif
}

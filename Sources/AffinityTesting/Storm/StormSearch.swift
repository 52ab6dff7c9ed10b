import Dispatch

/// The search for a bug, and for the fewest deliveries that show it.
struct StormSearch {
  let body: CallbackStorm.Body
  let runner: any ScheduleRunner
  /// How long a delivery may take.
  let patience: DispatchTimeInterval

  /// How often a schedule is played whose deliveries overlap in time.
  private static let reruns = 20
  /// How long one may take once it is known to be stuck.
  private static let shortPatience = DispatchTimeInterval.seconds(1)

  /// The bug that the deliveries of a seed show, if they do.
  func find(
    among deliveries: Int, seed: UInt64, _ repertoire: StormSchedule.Repertoire
  ) async throws -> StormBug? {
    for schedule in StormSchedule.random(seed: seed, deliveries: deliveries, repertoire) {
      guard let failure = try await runner.failure(of: schedule, patience: patience) else {
        continue
      }
      guard try await isOurs(failure, of: schedule) else { continue }
      let upToFailure = StormSchedule(Array(schedule.steps.prefix(failure.step + 1)))
      guard let runner = runner(after: failure) else {
        return StormBug(
          schedule: upToFailure, seed: seed, sought: deliveries, failures: 0, runs: 0,
          reason: failure.text)
      }
      let patience = failure.isStuck ? Self.shortPatience : patience
      var shrinker = Shrinker(runner, failure: failure, patience: patience)
      let shrunk = try await shrinker.shrink(upToFailure)
      return try await bug(shrunk, failure, runner, patience, sought: deliveries, seed: seed)
    }
    return nil
  }

  /// The bug that a schedule shows, if it does.
  func replay(_ schedule: StormSchedule) async throws -> StormBug? {
    // A race gets more than one chance.
    for _ in 0..<(schedule.overlaps ? Self.reruns : 1) {
      guard let failure = try await runner.failure(of: schedule, patience: patience) else {
        continue
      }
      guard try await isOurs(failure, of: schedule) else { continue }
      guard let runner = runner(after: failure) else {
        return StormBug(
          schedule: schedule, seed: nil, sought: nil, failures: 0, runs: 0, reason: failure.text)
      }
      let patience = failure.isStuck ? Self.shortPatience : patience
      return try await bug(schedule, failure, runner, patience, sought: nil, seed: nil)
    }
    return nil
  }

  /// Whether a failure belongs to the schedule: what another test in this process does meanwhile does
  /// not come again with it, and is left to whoever checks the test around this storm.
  private func isOurs(_ failure: StormFailure, of schedule: StormSchedule) async throws -> Bool {
    guard let violation = failure.doubtful else { return true }
    for _ in 0..<(schedule.overlaps ? Self.reruns : 3) {
      let again = try await runner.failure(of: schedule, patience: patience)
      if again?.key == failure.key { return true }
    }
    if case .shared(let unattributed) = violation.attribution {
      SessionRegistry.keep(unattributed)
    } else {
      ViolationSession.current?.take(violation)
    }
    return false
  }

  /// Who plays on after a failure; nil where this process cannot, and no other has the body.
  private func runner(after failure: StormFailure) -> (any ScheduleRunner)? {
    guard failure.isStuck, !(runner is ChildProcessRunner) else { return runner }
    if let split = runner as? SplitRunner { return split.children }
    return try? ChildProcessRunner(body: body)
  }

  private func bug(
    _ schedule: StormSchedule, _ failure: StormFailure, _ runner: any ScheduleRunner,
    _ patience: DispatchTimeInterval, sought: Int?, seed: UInt64?
  ) async throws -> StormBug {
    var shown = failure
    var failures = 0
    let runs = schedule.overlaps ? Self.reruns : 1
    for _ in 0..<runs {
      guard let again = try await runner.failure(of: schedule, patience: patience) else { continue }
      // A race shows itself in more than one way.
      if schedule.overlaps || again.key == failure.key { failures += 1 }
      if again.key == failure.key { shown = again }
    }
    return StormBug(
      schedule: schedule, seed: seed, sought: sought, failures: failures, runs: runs,
      reason: shown.text, doubt: runner.doubt)
  }
}

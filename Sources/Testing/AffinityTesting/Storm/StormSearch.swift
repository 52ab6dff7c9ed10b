import Dispatch

/// Searches for a bug and for the fewest deliveries that show it.
struct StormSearch {
  let body: CallbackStorm.Body
  let runner: any ScheduleRunner
  /// The time after which a delivery counts as stuck.
  let patience: DispatchTimeInterval

  /// The number of reruns of a schedule with overlapping deliveries.
  private static let reruns = 100
  /// The number of plays in which two callbacks overlap in newly created code: for all pairs
  /// together, and the minimum for each pair.
  private static let (rounds, leastRounds) = (200, 24)
  /// The patience after a delivery is known to be stuck.
  private static let shortPatience = DispatchTimeInterval.seconds(1)

  /// Searches the schedules of a seed. Returns nil if no schedule shows a bug.
  func find(
    among deliveries: Int, seed: UInt64, _ availableSteps: StormSchedule.AvailableSteps
  ) async throws -> StormBug? {
    let races = StormSchedule.races(of: availableSteps)
    let rounds = races.isEmpty ? 0 : max(Self.rounds / races.count, Self.leastRounds)
    let schedules =
      (StormSchedule.random(seed: seed, deliveries: deliveries, availableSteps)
      + StormSchedule.drills(of: availableSteps)).map { ($0, PlayCount(1)) }
      + races.map { ($0, PlayCount(most: rounds, least: Self.leastRounds)) }
    for (schedule, times) in schedules {
      let found = try await runner.failures(
        of: schedule, times: times, upTo: 1, patience: patience)
      guard let failure = found.first, try await isOurs(failure, of: schedule) else { continue }
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

  /// Replays a schedule. Returns nil if the schedule shows no bug.
  func replay(_ schedule: StormSchedule) async throws -> StormBug? {
    // A schedule with a race is played several times.
    let found = try await runner.failures(
      of: schedule, times: PlayCount(schedule.overlaps ? Self.rounds : 1), upTo: 1,
      patience: patience)
    guard let failure = found.first, try await isOurs(failure, of: schedule) else { return nil }
    guard let runner = runner(after: failure) else {
      return StormBug(
        schedule: schedule, seed: nil, sought: nil, failures: 0, runs: 0, reason: failure.text)
    }
    let patience = failure.isStuck ? Self.shortPatience : patience
    return try await bug(schedule, failure, runner, patience, sought: nil, seed: nil)
  }

  /// True if a failure recurs with the schedule. A violation of another test in this process does
  /// not recur; this function passes such a violation to the check around the storm.
  private func isOurs(_ failure: StormFailure, of schedule: StormSchedule) async throws -> Bool {
    guard let violation = failure.doubtful else { return true }
    let again = try await runner.failures(
      of: schedule, times: PlayCount(schedule.overlaps ? Self.reruns : 3), upTo: 1,
      patience: patience)
    if again.contains(where: { $0.key == failure.key }) { return true }
    if case .shared(let unattributed) = violation.attribution {
      SessionRegistry.keep(unattributed)
    } else {
      ViolationSession.current?.take(violation)
    }
    return false
  }

  /// Returns the runner to use after a failure; nil if this process cannot continue and no child
  /// can run the body.
  private func runner(after failure: StormFailure) -> (any ScheduleRunner)? {
    guard failure.isStuck, !(runner is ChildProcessRunner) else { return runner }
    if let split = runner as? SplitRunner { return split.children }
    return try? ChildProcessRunner(body: body)
  }

  private func bug(
    _ schedule: StormSchedule, _ failure: StormFailure, _ runner: any ScheduleRunner,
    _ patience: DispatchTimeInterval, sought: Int?, seed: UInt64?
  ) async throws -> StormBug {
    let runs = schedule.overlaps ? Self.reruns : 1
    let again = try await runner.failures(
      of: schedule, times: PlayCount(runs), upTo: runs,
      patience: patience)
    let shown = again.last { $0.key == failure.key } ?? failure
    // A race can fail with different keys.
    let failures = again.count { schedule.overlaps || $0.key == failure.key }
    return StormBug(
      schedule: schedule, seed: seed, sought: sought, failures: failures, runs: runs,
      reason: shown.text, doubt: runner.doubt)
  }
}

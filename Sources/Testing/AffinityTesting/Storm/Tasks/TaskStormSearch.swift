/// Searches for a bug of tasks and for the fewest deviations from the default order that show it.
struct TaskStormSearch {
  let runner: any TaskRunner

  /// Searches the runs of a seed. Returns nil if no run shows a bug.
  ///
  /// Tries the default order, then each order that deviates at a single turn, then random orders.
  /// Each cancellation is tried twice: after it, the task whose turn it is runs first, or is
  /// delayed.
  func find(among runs: Int, seed: UInt64) async throws -> TaskStormBug? {
    var random = SeededRandom(seed: seed)
    let plain = try await play(TaskSchedule(), seed: seed)
    if plain.failure != nil { return try await bug(TaskSchedule(), plain, seed, runs) }
    let single = Self.single(of: plain, &random)
    if single.isEmpty { return nil }
    var left = max(runs - 1, 0)
    for schedule in single.prefix(left) {
      left -= 1
      if let bug = try await bug(in: schedule, seed, runs) { return bug }
    }
    let names = Set(plain.turns.flatMap { $0.cancellable }).sorted()
    while left > 0 {
      left -= 1
      let schedule = Self.random(upTo: plain.turns.count, names, &random)
      if let bug = try await bug(in: schedule, seed, runs) { return bug }
    }
    return nil
  }

  /// Replays a schedule. Returns nil if the schedule shows no bug.
  func replay(_ schedule: TaskSchedule) async throws -> TaskStormBug? {
    let play = try await play(schedule, seed: nil)
    // A schedule without effect would make a test that cannot fail.
    if let idle = schedule.entries.first(where: { entry in
      !play.applied.contains { $0.turn == entry.turn }
    }) {
      throw StormScheduleError(
        description: "“\(idle)” changes nothing: \(play.text(of: idle.turn))")
    }
    guard let failure = play.failure else { return nil }
    return TaskStormBug(
      schedule: schedule, seed: nil, sought: nil, failed: true, reason: failure.text, play: play)
  }

  private func bug(
    in schedule: TaskSchedule, _ seed: UInt64, _ runs: Int
  ) async throws -> TaskStormBug? {
    let play = try await play(schedule, seed: seed)
    return play.failure == nil ? nil : try await bug(schedule, play, seed, runs)
  }

  private func bug(
    _ schedule: TaskSchedule, _ found: TaskSchedulePlayer.RunResult, _ seed: UInt64, _ runs: Int
  ) async throws -> TaskStormBug {
    let (schedule, play) = try await shrunk(schedule, found)
    let again = try await self.play(schedule, seed: seed)
    let failed = again.failure?.key == play.failure?.key
    return TaskStormBug(
      schedule: schedule, seed: seed, sought: runs, failed: failed,
      reason: (failed ? again : play).failure?.text ?? "", play: failed ? again : play)
  }

  // MARK: Orders

  /// All schedules that deviate from a run at one turn, in random order.
  private static func single(
    of play: TaskSchedulePlayer.RunResult, _ random: inout SeededRandom
  ) -> [TaskSchedule] {
    let schedules = play.turns.enumerated().flatMap { index, turn in
      let others = Set(turn.others).subtracting([turn.name]).sorted()
      let delay = TaskSchedule.Change.delay(turn.owner)
      let cancels = turn.cancellable.map { TaskSchedule.Change.cancel($0) }
      let changes =
        cancels.map { [$0] } + cancels.map { [$0, delay] } + others.map { [.goOn($0)] }
        + (others.isEmpty ? [] : [[delay]])
      return changes.map { changes in
        TaskSchedule(changes.map { TaskSchedule.Entry(turn: index + 1, change: $0) })
      }
    }
    return schedules.shuffled(using: &random)
  }

  private static func random(
    upTo turns: Int, _ names: [String], _ random: inout SeededRandom
  ) -> TaskSchedule {
    // A changed order may have more turns than the default order.
    let last = UInt64(max(turns, 1)) * 3 / 2 + 1
    let count = 2 + Int(random.next() % 4)
    return TaskSchedule(
      (0..<count).map { _ in
        let turn = 1 + Int(random.next() % last)
        let cancels = !names.isEmpty && random.chance(1, in: 6)
        let change: TaskSchedule.Change =
          cancels
          ? .cancel(random.element(of: names)) : .other(Int(random.next() % 64))
        return .init(turn: turn, change: change)
      })
  }

  // MARK: Shrinking

  private func shrunk(
    _ schedule: TaskSchedule, _ play: TaskSchedulePlayer.RunResult
  ) async throws -> (TaskSchedule, TaskSchedulePlayer.RunResult) {
    // Task names replace numbers, and changes without effect are removed.
    var best = (schedule, play)
    let named = TaskSchedule(play.applied)
    if named != schedule, let same = try await failure(named, like: play) { best = (named, same) }
    var index = 0
    while index < best.0.entries.count {
      var fewer = best.0
      fewer.entries.remove(at: index)
      if let same = try await failure(fewer, like: play) {
        best = (TaskSchedule(same.applied), same)
        index = 0
      } else {
        index += 1
      }
    }
    return best
  }

  private func failure(
    _ schedule: TaskSchedule, like play: TaskSchedulePlayer.RunResult
  ) async throws -> TaskSchedulePlayer.RunResult? {
    let other = try await self.play(schedule, seed: nil)
    return other.failure?.key == play.failure?.key ? other : nil
  }

  private func play(_ schedule: TaskSchedule, seed: UInt64?) async throws
    -> TaskSchedulePlayer.RunResult
  {
    try await runner.play(schedule, seed: seed)
  }
}

extension TaskSchedulePlayer.RunResult {
  /// The tasks that were ready at a turn, as text.
  fileprivate func text(of turn: Int) -> String {
    guard turns.indices.contains(turn - 1) else { return "the run has \(turns.count) turns" }
    let names = ([turns[turn - 1].name] + turns[turn - 1].others).map { "“\($0)”" }
    return "at this turn, \(names.joined(separator: ", ")) can continue"
  }
}

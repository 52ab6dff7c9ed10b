import Dispatch

/// Shrinks a failing schedule as far as it still fails with the same key.
struct Shrinker {
  private let runner: any ScheduleRunner
  private let key: String
  private let patience: DispatchTimeInterval
  /// The number of schedules that may still be tried.
  private var budget: Int
  private let deadline: ContinuousClock.Instant

  init(
    _ runner: any ScheduleRunner, failure: StormFailure, patience: DispatchTimeInterval,
    budget: Int = 1000, time: Duration = .seconds(30)
  ) {
    self.runner = runner
    key = failure.key
    self.patience = patience
    self.budget = budget
    deadline = .now + time
  }

  mutating func shrink(_ schedule: StormSchedule) async throws -> StormSchedule {
    var best = schedule
    // The schedule without reordering is tried first: if it fails, the failure is reproducible.
    var inOrder = best
    for index in inOrder.steps.indices { inOrder.steps[index].order = 0 }
    if inOrder != best, try await fails(inOrder) { best = inOrder }
    let orderly = StormSchedule(best.steps.flatMap(\.inTurn))
    if best.overlaps, try await fails(orderly) { best = orderly }
    var size = best.steps.count / 2
    while size >= 1 {
      best = try await withoutRuns(of: size, best)
      size /= 2
    }
    best = try await simplified(best)
    best = try await withoutRuns(of: 1, best)
    return try await withoutPairs(best)
  }

  /// Removes pairs of steps that cannot be removed one by one, for example if a count must be even.
  private mutating func withoutPairs(_ schedule: StormSchedule) async throws -> StormSchedule {
    guard 3...12 ~= schedule.steps.count else { return schedule }
    for first in schedule.steps.indices.dropLast() {
      for second in schedule.steps.indices where second > first {
        var candidate = schedule
        candidate.steps.remove(at: second)
        candidate.steps.remove(at: first)
        if try await fails(candidate) { return try await withoutPairs(candidate) }
      }
    }
    return schedule
  }

  /// Removes as many runs of `size` steps as possible.
  private mutating func withoutRuns(of size: Int, _ schedule: StormSchedule) async throws
    -> StormSchedule
  {
    var best = schedule
    // Later steps are removed first, because they often depend on earlier steps.
    var start = best.steps.count - size
    while start > -size, !best.steps.isEmpty {
      let range = max(start, 0)..<min(start + size, best.steps.count)
      if !range.isEmpty {
        var candidate = best
        candidate.steps.removeSubrange(range)
        if try await fails(candidate) { best = candidate }
      }
      start -= size
    }
    return best
  }

  /// Simplifies each step as far as possible.
  private mutating func simplified(_ schedule: StormSchedule) async throws -> StormSchedule {
    var best = schedule
    for index in best.steps.indices {
      for plainer in best.steps[index].plainer {
        var candidate = best
        candidate.steps[index] = plainer(best.steps[index])
        if candidate != best, try await fails(candidate) { best = candidate }
      }
    }
    return best
  }

  private mutating func fails(_ schedule: StormSchedule) async throws -> Bool {
    // Steps without effect and impossible lifecycle moves would not explain the failure.
    guard !schedule.steps.isEmpty, schedule.isPossible else { return false }
    guard budget > 0, ContinuousClock.now < deadline else { return false }
    budget -= 1
    // A race needs several plays to show, and a very rare race would make shrinking unreliable.
    let (times, limit) = schedule.overlaps ? (60, 2) : (1, 1)
    let failures = try await runner.failures(
      of: schedule, times: PlayCount(times), upTo: limit, patience: patience)
    return failures.count { $0.key == key } == limit
  }
}

extension StormStep {
  /// The simplifications of a step, the strongest first.
  fileprivate var plainer: [(StormStep) -> StormStep] {
    [
      { $0.changed { ($0.times, $0.partner) = (.once, nil) } },
      { step in
        step.partner.map { other in
          step.changed { $0.deliver(other) }
        } ?? step
      },
      { $0.changed { $0.order = 0 } },
      { $0.changed { $0.delay = 0 } },
      { $0.changed { $0.isNewest = false } },
      { $0.changed { $0.whileMainIsBusy = false } },
      { $0.times == .concurrently && $0.partner == nil ? $0.changed { $0.times = .twice } : $0 },
      { $0.onPlace(.main) },
      { $0.isPlacedOn(.main) ? $0 : $0.onPlace(.queue) },
    ]
  }

  private func changed(_ change: (inout StormStep) -> Void) -> StormStep {
    var step = self
    change(&step)
    return step
  }

  /// Delivers only the callback `other`, once.
  fileprivate mutating func deliver(_ other: String) {
    guard case .deliver(_, let place) = action else { return }
    (action, times, partner) = (.deliver(other, on: place), .once, nil)
  }

  private func isPlacedOn(_ place: Place) -> Bool {
    if case .deliver(_, place) = action { return true }
    return false
  }

  private func onPlace(_ place: Place) -> StormStep {
    guard case .deliver(let name, _) = action else { return self }
    return changed { $0.action = .deliver(name, on: place) }
  }
}

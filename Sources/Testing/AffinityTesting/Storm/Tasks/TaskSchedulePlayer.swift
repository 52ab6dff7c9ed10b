import Dispatch
import Synchronization

internal import CTestProcess

/// Plays one run of a task storm, one turn at a time.
final class TaskSchedulePlayer {
  /// A turn that was played.
  struct Turn: Sendable, Codable {
    let name: String
    /// The task that was resumed, or the task that sent the resumed work.
    let owner: String
    /// The other tasks that could have run.
    let others: [String]
    /// True if the default order would have chosen another task.
    let isChanged: Bool
    /// The tasks that were cancelled immediately before the turn.
    let cancelled: [String]
    /// The tasks that could have been cancelled.
    let cancellable: [String]
  }

  /// The result of a run.
  struct RunResult: Sendable, Codable {
    var failure: StormFailure?
    var turns: [Turn] = []
    /// The changes of the schedule that had an effect, with task names.
    var applied: [TaskSchedule.Entry] = []
    var hasSeenOutside = false
  }

  /// The report about one turn, sent before the turn is played, because the turn may end the
  /// process.
  struct Step: Sendable, Codable {
    let turn: Turn
    let applied: [TaskSchedule.Entry]
    let hasSeenOutside: Bool
  }

  private let scenario: TaskScenario
  private let willTake: @Sendable (Step) -> Void
  private let session: ViolationSession
  private let patience: DispatchTimeInterval
  private let turns: TaskTurns
  private let executor: StormExecutor
  private let outcomes = Outcomes()
  private var handles: [String: Task<Void, Never>] = [:]
  private var cancelled: Set<String> = []
  private var delayed: Set<String> = []
  private var last: (name: String, times: Int) = ("", 0)
  private var play = RunResult()

  /// The maximum number of turns in a run, and the maximum number of consecutive turns of one task
  /// while other tasks are ready.
  private static let (mostTurns, mostInARow) = (10_000, 100)

  /// The longest delay of a pending timer for which a run waits.
  private static let longestTimer = DispatchTimeInterval.seconds(10)

  init(
    _ scenario: TaskScenario, in session: ViolationSession, patience: DispatchTimeInterval,
    willTake: @escaping @Sendable (Step) -> Void
  ) {
    self.scenario = scenario
    self.willTake = willTake
    self.session = session
    turns = TaskTurns(of: session)
    executor = .lasting(for: turns)
    self.patience = patience
  }

  /// Plays a run up to its first failure.
  func play(_ schedule: TaskSchedule) -> RunResult {
    session.beginToPlay()
    turns.begin()
    for offer in scenario.offers { begin(offer) }
    play.failure = failure(of: schedule) ?? failureOfChecks()
    play.hasSeenOutside = turns.hasSeenOutside
    turns.end()
    return play
  }

  private func begin(_ offer: TaskScenario.TaskEntry) {
    turns.acting(for: offer.name, begins: true) {
      handles[offer.name] = session.scoped {
        Task(executorPreference: executor) { [outcomes, turns] in
          do {
            try await offer.body()
            outcomes.note(offer.name, nil)
          } catch {
            outcomes.note(offer.name, error)
          }
          turns.noteNews()
        }
      }
    }
  }

  private func failure(of schedule: TaskSchedule) -> StormFailure? {
    for number in 1...Self.mostTurns {
      guard comesToATurn() else {
        let lost = scenario.offers.map(\.name).filter { !outcomes.hasEnded($0) }
        return lost.isEmpty ? nil : failure(ofLost: lost)
      }
      take(number, schedule.changes(at: number))
      if let failure = failureSoFar() { return failure }
    }
    let text = "the tasks did not end within \(Self.mostTurns) turns"
    return failure(text, text)
  }

  /// The deadline for events from outside the run, such as a pending timer.
  private var lastMoment: DispatchTime {
    let soon = DispatchTime.now() + patience
    guard let due = session.work.nextDue, due < .now() + Self.longestTimer else { return soon }
    return max(soon, due + patience)
  }

  /// Waits until a task is ready. Returns false if no task becomes ready.
  private func comesToATurn() -> Bool {
    let deadline = lastMoment
    while true {
      // Work sent to the main queue and elsewhere takes effect before the next choice.
      _ = session.work.settles(within: patience, due: .seconds(0))
      if !turns.ready.isEmpty { return true }
      if scenario.offers.allSatisfy({ outcomes.hasEnded($0.name) }) { return false }
      if !turns.waitForOutside(until: deadline) { return !turns.ready.isEmpty }
    }
  }

  // MARK: Turns

  private func take(_ number: Int, _ changes: [TaskSchedule.Change]) {
    session.gate.close()
    let cancellable = self.cancellable
    let before = play.applied.count
    var cancelledHere: [String] = []
    for change in changes {
      guard case .cancel(let name) = change, cancellable.contains(name) else { continue }
      cancel(name)
      cancelledHere.append(name)
      play.applied.append(.init(turn: number, change: change))
    }
    for case .delay(let name) in changes where turns.ready.contains(where: { $0.owner == name }) {
      delayed.insert(name)
      play.applied.append(.init(turn: number, change: .delay(name)))
    }
    let ready = turns.ready
    let plain = plainChoice(of: ready)
    var choice = plain
    for change in changes {
      switch change {
      case .goOn(let name): choice = ready.firstIndex { $0.name == name } ?? choice
      case .other(let count) where ready.count > 1:
        choice = (plain + 1 + count % (ready.count - 1)) % ready.count
      case .other, .delay, .cancel: break
      }
    }
    let name = ready[choice].name
    if choice != plain { play.applied.append(.init(turn: number, change: .goOn(name))) }
    var others = ready.map(\.name)
    others.remove(at: choice)
    let turn = Turn(
      name: name, owner: ready[choice].owner, others: others, isChanged: choice != plain,
      cancelled: cancelledHere, cancellable: cancellable)
    play.turns.append(turn)
    willTake(
      Step(
        turn: turn, applied: Array(play.applied[before...]), hasSeenOutside: turns.hasSeenOutside))
    note(ready[choice])
    session.scoped { turns.play(choice) }
  }

  /// The default choice of the next task: the current task if it only changed its actor, otherwise
  /// the task that has been ready longest.
  private func plainChoice(of ready: [TaskTurns.Ready]) -> Int {
    // A task that polls must not prevent the event for which it polls.
    let asksOften = last.times >= Self.mostInARow
    if asksOften { delayed = [] }
    let free = ready.indices.filter { !delayed.contains(ready[$0].owner) }
    if free.isEmpty {
      // Only delayed tasks are ready.
      delayed = []
      return 0
    }
    let same = free.first { ready[$0].isChange && ready[$0].owner == last.name }
    if let same, !asksOften { return same }
    return free.first { ready[$0].owner != last.name } ?? free[0]
  }

  private func note(_ played: TaskTurns.Ready) {
    last = (played.owner, last.name == played.owner ? last.times + 1 : 1)
  }

  private var cancellable: [String] {
    scenario.offers.filter {
      $0.mayBeCancelled && !cancelled.contains($0.name) && !outcomes.hasEnded($0.name)
    }.map(\.name)
  }

  private func cancel(_ name: String) {
    cancelled.insert(name)
    turns.acting(for: name, begins: false) { session.scoped { handles[name]?.cancel() } }
  }

  // MARK: Failures

  private func failureSoFar() -> StormFailure? {
    if let violation = session.violations.first { return StormFailure(violation, step: 0) }
    if let text = scenario.firstFailure { return failure(text, text) }
    for offer in scenario.offers {
      guard let error = outcomes.error(of: offer.name) else { continue }
      if error is CancellationError, cancelled.contains(offer.name) { continue }
      return failure("“\(offer.name)” threw", "“\(offer.name)” threw: \(error)")
    }
    return nil
  }

  private func failure(ofLost names: [String]) -> StormFailure {
    let tasks = names.map { "“\($0)”" }.joined(separator: ", ")
    return failure(
      "lost \(tasks)",
      "\(tasks) never ended: no task can continue, and no other event arrived for "
        + patience.text)
  }

  private func failure(_ key: String, _ text: String) -> StormFailure {
    StormFailure(key: key, text: text, step: 0)
  }

  private func failureOfChecks() -> StormFailure? {
    if let failure = failureSoFar() { return failure }
    for check in scenario.checks {
      let answer = Answer()
      turns.acting(for: "check", begins: true) {
        session.scoped {
          _ = Task(executorPreference: executor) { [answer, turns] in
            answer.give(await check.holds())
            turns.noteNews()
          }
        }
      }
      guard let holds = holds(answer) else {
        let text = check.doesNotAnswer(within: patience.text)
        return failure(text, text)
      }
      let text = check.doesNotHold
      if !holds { return failure(text, text) }
    }
    return failureSoFar()
  }

  /// Runs all remaining tasks in the default order until the check has a result. Returns nil if the
  /// check does not finish.
  private func holds(_ answer: Answer) -> Bool? {
    let deadline = lastMoment
    for _ in 0..<Self.mostTurns {
      _ = session.work.settles(within: patience, due: .seconds(0))
      if let holds = answer.given { return holds }
      let ready = turns.ready
      if ready.isEmpty {
        if !turns.waitForOutside(until: deadline) { return answer.given }
        continue
      }
      let choice = plainChoice(of: ready)
      note(ready[choice])
      session.scoped { turns.play(choice) }
    }
    return nil
  }
}

/// The results of the tasks that have ended: nil, or the error that the task threw.
private final class Outcomes: Sendable {
  private let errors = Mutex<[String: (any Error)?]>([:])

  func note(_ task: String, _ error: (any Error)?) {
    errors.withLock { $0[task] = .some(error) }
  }

  func hasEnded(_ task: String) -> Bool { errors.withLock { $0[task] != nil } }

  func error(of task: String) -> (any Error)? { errors.withLock { $0[task] ?? nil } }
}

/// The result of a check.
private final class Answer: Sendable {
  private let value = Mutex<Bool?>(nil)

  func give(_ answer: Bool) { value.withLock { $0 = answer } }

  var given: Bool? { value.withLock { $0 } }
}

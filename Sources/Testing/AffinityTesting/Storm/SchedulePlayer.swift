import Dispatch
import Foundation
import Synchronization

/// Plays a schedule on queues, threads and the main queue, one step at a time.
final class SchedulePlayer {
  private let session: ViolationSession
  private let scenario: StormScenario
  private let patience: DispatchTimeInterval
  private let main: StormMainQueue
  private let memory: StormMemory
  private var random: SeededRandom
  private let inner = DispatchQueue(label: "storm.queue")
  private let outer = DispatchQueue(label: "storm.outer")

  /// - Parameters:
  ///   - patience: The time after which a delivery counts as stuck.
  ///   - memory: The observations from earlier schedules of this storm.
  init(
    _ scenario: StormScenario, in session: ViolationSession, patience: DispatchTimeInterval,
    _ memory: StormMemory
  ) {
    self.scenario = scenario
    self.session = session
    self.patience = patience
    self.memory = memory
    random = SeededRandom(seed: memory.nextPlay())
    // The patience is doubled because other code uses the main queue too, and may be slow.
    main = StormMainQueue(patience: patience.twice) {
      Self.letTasksRun(session, memory)
    }
  }

  /// Plays a schedule up to its first failure.
  func play(_ schedule: StormSchedule, willTake: (Int) -> Void) -> StormFailure? {
    if TaskHold.isPossible, !memory.waitsForTasks { session.tasks?.close() }
    defer {
      if session.tasks?.hasSeenClock == true { memory.noteClock() }
      session.tasks?.open()
    }
    session.beginToPlay()
    for (index, step) in schedule.steps.enumerated() {
      willTake(index)
      if let failure = take(step, index) { return failure }
    }
    return settle(schedule.steps.count - 1, order: 0, isLast: true)
  }

  private func take(_ step: StormStep, _ index: Int) -> StormFailure? {
    if step.delay > 0 { usleep(UInt32(step.delay) * 1000) }
    let staysBusy = step.whileMainIsBusy && !memory.waitsForMain(step)
    let isReady = staysBusy ? main.keepBusy() : main.run {} != nil
    guard isReady else { return mainIsStuck(index) }
    if let failure = perform(step, index) { return failure }
    return staysBusy ? session.failure(at: index) : settle(index, order: step.order)
  }

  // MARK: Settling

  /// Waits until all pending work has ended. Returns the step's failure; nil if there was no
  /// failure.
  private func settle(_ index: Int, order: UInt32, isLast: Bool = false) -> StormFailure? {
    guard comesToRest(order, isLast: isLast) else { return mainIsStuck(index) }
    let wrong = main.run { [session, scenario] in session.scoped { scenario.firstFailure() } }
    if let failure = session.failure(at: index) { return failure }
    guard let wrong else { return mainIsStuck(index) }
    if let wrong { return StormFailure(key: wrong, text: wrong, step: index) }
    return awaitedFailure(index)
  }

  /// Runs the main queue, the queues and the tasks of the code under test until no known work is
  /// pending. Returns false if the main queue does not respond.
  private func comesToRest(_ order: UInt32, isLast: Bool) -> Bool {
    var choice = SeededRandom(seed: UInt64(order))
    // The limit ends the wait for a task that never becomes idle, such as one that polls.
    for _ in 0..<Self.mostTurns {
      // `run` also releases the main queue if it was held.
      guard main.run({}) != nil else { return false }
      rest(isLast: isLast)
      if !session.work.isSettled(), !memory.isRestless { continue }
      let goesOn = session.tasks?.letOneGo { count in
        order == 0 ? 0 : Int(choice.next() % UInt64(count))
      }
      if goesOn != true { return true }
    }
    memory.noteRestless()
    return true
  }

  private static let mostTurns = 10_000

  private func rest(isLast: Bool) {
    let work = session.work
    let settles =
      switch (memory.isRestless, isLast) {
      case (true, _): work.settles(within: .milliseconds(20), due: .seconds(0))
      case (false, true): work.settles(within: patience, due: .seconds(1))
      case (false, false):
        StallDetector.completes(within: patience) { work.settles(until: $0, due: .seconds(0)) }
      }
    if !settles { memory.noteRestless() }
  }

  private static func letTasksRun(_ session: ViolationSession, _ memory: StormMemory) {
    guard let tasks = session.tasks, tasks.isKeepingBack else { return }
    tasks.open()
    memory.noteWaitsForTasks()
  }

  private func awaitedFailure(_ index: Int) -> StormFailure? {
    for check in scenario.awaitedChecks {
      let answer = Answer()
      session.scoped {
        _ = Task(executorPreference: StormExecutor.shared) { answer.give(await check.holds()) }
      }
      guard let holds = whatIsGiven(answer) else {
        let text = check.doesNotAnswer(within: patience.text)
        return StormFailure(key: text, text: text, step: index, isStuck: true)
      }
      let text = check.doesNotHold
      if !holds { return StormFailure(key: text, text: text, step: index) }
    }
    return session.failure(at: index)
  }

  private func whatIsGiven(_ answer: Answer) -> Bool? {
    let deadline = DispatchTime.now() + patience
    while comesToRest(0, isLast: false) {
      // A task that slept or was slow is held again, until `comesToRest` releases it.
      if let holds = answer.given(within: .milliseconds(5)) { return holds }
      if DispatchTime.now() >= deadline { return nil }
    }
    return nil
  }

  private func mainIsStuck(_ index: Int) -> StormFailure {
    StormFailure(
      key: "main queue", text: "the main queue did not answer within \(patience.twice.text)",
      step: index, isStuck: true)
  }

  // MARK: Steps

  private func perform(_ step: StormStep, _ index: Int) -> StormFailure? {
    switch step.action {
    case .cancel: performOnMain(index) { $0.cancel() }
    case .act(let name): performOnMain(index) { $0.act(name, step.times) }
    case .lifecycle(let move): performOnMain(index) { $0.move(move) }
    case .deliver(let name, let place): deliver(step, name, on: place, index)
    }
  }

  private func performOnMain(
    _ index: Int, _ body: @escaping @Sendable (StormScenario) -> Void
  ) -> StormFailure? {
    let done: Void? = main.runNext { [session, scenario] in session.scoped { body(scenario) } }
    return done == nil ? mainIsStuck(index) : nil
  }

  private func deliver(
    _ step: StormStep, _ name: String, on place: StormStep.Place, _ index: Int
  ) -> StormFailure? {
    let calls = scenario.calls(of: name, step)
    // Async callbacks overlap at their suspension points; the schedule orders the code between
    // them.
    if calls.contains(where: \.isAsynchronous) {
      session.scoped { for call in calls { call.make() } }
      return nil
    }
    if step.times == .concurrently, calls.count == 2 {
      return overlap(calls, of: step, name, on: place, index)
    }
    // While the main queue is busy, work that the first call sends there waits for the second call
    // anyway.
    if place.isOnMain || main.isBusy {
      return failureToEnd(
        [sent(to: place) { for call in calls { call.make() } }], of: step, index)
    }
    for (number, call) in calls.enumerated() {
      // Without this barrier, thread timing would decide whether work that the first call sent to
      // the main queue runs before the second call.
      if number > 0, !main.isBusy, main.run({}) == nil { return mainIsStuck(index) }
      if let failure = failureToEnd([sent(to: place, call.make)], of: step, index) {
        return failure
      }
    }
    return nil
  }

  private func failureToEnd(
    _ deliveries: [Delivery], of step: StormStep, _ index: Int
  ) -> StormFailure? {
    for delivery in deliveries where !hasEnded(delivery, of: step) {
      return StormFailure(
        key: "stuck", text: "“\(step)” did not return within \(patience.text)", step: index,
        isStuck: true)
    }
    return nil
  }

  private func overlap(
    _ calls: [StormCall], of step: StormStep, _ name: String, on place: StormStep.Place,
    _ index: Int
  ) -> StormFailure? {
    let start = StartBarrier()
    let stop = Interleaving.isPossible ? memory.nextPlace(in: name, &random) : nil
    let interleaving = stop.map { Interleaving(stopping: $0) }
    let first = sent(to: place) {
      start.wait()
      if let interleaving { interleaving.first(calls[0].make) } else { calls[0].make() }
    }
    let second = sent(to: .thread) {
      start.wait()
      if let interleaving { interleaving.second(calls[1].make) } else { calls[1].make() }
    }
    let failure = failureToEnd([first, second], of: step, index)
    if failure == nil, let stop, let interleaving {
      memory.learn(stop, in: name, interleaving)
    }
    return failure
  }

  private func sent(
    to place: StormStep.Place, _ call: @escaping @Sendable () -> Void
  ) -> Delivery {
    let delivery = Delivery { [session] in session.scoped(call) }
    send(delivery, to: place)
    return delivery
  }

  private func hasEnded(_ delivery: Delivery, of step: StormStep) -> Bool {
    let keepsTasksBack = session.tasks?.isKeepingBack ?? false
    if main.isBusy || keepsTasksBack {
      if delivery.endsUnlessItWaits(within: patience) { return true }
      if main.isBusy { memory.noteWaitsForMain(step) }
      main.letGo()
      Self.letTasksRun(session, memory)
    }
    return delivery.ends(within: patience)
  }

  private func send(_ delivery: Delivery, to place: StormStep.Place) {
    let inner = inner
    let work: @Sendable () -> Void = { delivery.make() }
    switch place {
    case .main: main.send(work)
    case .queueOnMain: main.send { inner.sync(execute: work) }
    case .mainSync: inner.async { DispatchQueue.main.sync(execute: work) }
    case .queue: inner.async(execute: work)
    case .nestedQueue: outer.async { inner.sync(execute: work) }
    case .global: DispatchQueue.global().async(execute: work)
    case .thread: Thread(block: work).start()
    case .task: Task.detached { work() }
    }
  }
}

/// The result of an asynchronous check.
private final class Answer: Sendable {
  private let value = Mutex<Bool?>(nil)
  private let isGiven = DispatchSemaphore(value: 0)

  func give(_ answer: Bool) {
    value.withLock { $0 = answer }
    isGiven.signal()
  }

  func given(within patience: DispatchTimeInterval) -> Bool? {
    _ = isGiven.wait(timeout: .now() + patience)
    return value.withLock { $0 }
  }
}

extension ViolationSession {
  fileprivate func failure(at step: Int) -> StormFailure? {
    violations.first.map { StormFailure($0, step: step) }
  }
}

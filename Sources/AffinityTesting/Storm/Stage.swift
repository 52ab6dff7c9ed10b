import Dispatch
import Foundation

/// Where a schedule is played: queues, threads and the main queue, one step after the other.
///
/// It lives on a thread of its own, for it waits for each step to end.
final class Stage {
  private let session: ViolationSession
  private let scenario: StormScenario
  private let patience: DispatchTimeInterval
  private let main: StageMain
  private let memory: StormMemory
  private var random: SeededRandom
  private let inner = DispatchQueue(label: "storm.queue")
  private let outer = DispatchQueue(label: "storm.outer")

  /// How long a delivery may take while the main queue is busy before it is thought to wait for it.
  private static let suspicion = DispatchTimeInterval.seconds(1)

  /// - Parameters:
  ///   - patience: How long a delivery may take before it counts as stuck.
  ///   - memory: What schedules that were played before have taught.
  init(
    _ scenario: StormScenario, in session: ViolationSession, patience: DispatchTimeInterval,
    _ memory: StormMemory
  ) {
    self.scenario = scenario
    self.session = session
    self.patience = patience
    self.memory = memory
    random = SeededRandom(seed: memory.nextPlay())
    // Others use the main queue too, and may be slow.
    main = StageMain(patience: patience.twice)
  }

  /// Plays a schedule up to its first failure.
  func play(_ schedule: StormSchedule, willTake: (Int) -> Void) -> StormFailure? {
    for (index, step) in schedule.steps.enumerated() {
      willTake(index)
      if let failure = take(step, index) { return failure }
    }
    return settle(schedule.steps.count - 1)
  }

  private func take(_ step: StormStep, _ index: Int) -> StormFailure? {
    if step.delay > 0 { usleep(UInt32(step.delay) * 1000) }
    let staysBusy = step.whileMainIsBusy && !memory.waitsForMain(step)
    let isReady = staysBusy ? main.keepBusy() : main.run {} != nil
    guard isReady else { return mainIsStuck(index) }
    if let failure = perform(step, index) { return failure }
    return staysBusy ? session.failure(at: index) : settle(index)
  }

  /// Lets the main queue run what waits for it, and says what is wrong then.
  private func settle(_ index: Int) -> StormFailure? {
    let wrong = main.run { [session, scenario] in session.scoped { scenario.firstFailure() } }
    if let failure = session.failure(at: index) { return failure }
    guard let wrong else { return mainIsStuck(index) }
    return wrong.map { StormFailure(key: $0, text: $0, step: index) }
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
    let calls = scenario.calls(of: name, step.times, newest: step.isNewest)
    if step.times == .concurrently, calls.count == 2 {
      return failureToEnd(overlapping(calls, on: place), of: step, index)
    }
    // While the main queue is busy, what the first call sends there waits for the second anyway.
    if place.isOnMain || main.isBusy {
      return failureToEnd([sent(to: place) { for call in calls { call() } }], of: step, index)
    }
    for (number, call) in calls.enumerated() {
      // Else it would be chance whether what the first has sent there runs before the second.
      if number > 0, !main.isBusy, main.run({}) == nil { return mainIsStuck(index) }
      if let failure = failureToEnd([sent(to: place, call)], of: step, index) { return failure }
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

  private func overlapping(
    _ calls: [@Sendable () -> Void], on place: StormStep.Place
  ) -> [Delivery] {
    let start = StartingLine()
    let interleaving =
      Interleaving.isPossible
      ? StoppingPlace.random(&random).map(Interleaving.init) : nil
    let first = sent(to: place) {
      start.wait()
      if let interleaving { interleaving.first(calls[0]) } else { calls[0]() }
    }
    let second = sent(to: .thread) {
      start.wait()
      if let interleaving { interleaving.second(calls[1]) } else { calls[1]() }
    }
    return [first, second]
  }

  private func sent(
    to place: StormStep.Place, _ call: @escaping @Sendable () -> Void
  ) -> Delivery {
    let delivery = Delivery { [session] in session.scoped(call) }
    send(delivery, to: place)
    return delivery
  }

  private func hasEnded(_ delivery: Delivery, of step: StormStep) -> Bool {
    if main.isBusy {
      if delivery.ends(within: Self.suspicion) { return true }
      memory.noteWaitsForMain(step)
      main.letGo()
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

extension ViolationSession {
  fileprivate func failure(at step: Int) -> StormFailure? {
    violations.first.map { StormFailure($0, step: step) }
  }
}

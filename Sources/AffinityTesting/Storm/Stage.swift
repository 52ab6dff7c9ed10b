import Dispatch
import Foundation
import Synchronization

/// Where a schedule is played: queues, threads and the main queue, one step after the other.
///
/// It lives on a thread of its own, for it waits for each step to end.
final class Stage {
  private let session: ViolationSession
  private let shim: Shim
  private let inner = DispatchQueue(label: "storm.queue")
  private let outer = DispatchQueue(label: "storm.outer")
  private var hold: MainHold?
  /// Whether a callback has been seen to wait for the main queue: then it is no longer kept busy.
  private var callbacksWaitForMain = false

  /// How long a delivery may take before it counts as stuck.
  private static let patience = DispatchTimeInterval.seconds(5)
  /// How long one may take while the main queue is busy before it is thought to wait for it.
  private static let suspicion = DispatchTimeInterval.milliseconds(100)

  init(_ shim: Shim, in session: ViolationSession) {
    self.shim = shim
    self.session = session
  }

  /// Plays a schedule up to its first failure.
  func play(_ schedule: Schedule, willTake: (Int) -> Void) -> StormFailure? {
    // However it ends: the main queue is everybody's.
    defer { letMainGo() }
    for (index, step) in schedule.steps.enumerated() {
      willTake(index)
      if let failure = take(step, index) { return failure }
    }
    return settle(schedule.steps.count - 1)
  }

  private func take(_ step: ScheduleStep, _ index: Int) -> StormFailure? {
    if step.delay > 0 { usleep(UInt32(step.delay) * 1000) }
    let staysBusy = step.whileMainIsBusy && !callbacksWaitForMain && step.isDelivery
    if staysBusy {
      hold = hold ?? MainHold()
    } else {
      letMainGo()
    }
    guard perform(step) else {
      letMainGo()
      return StormFailure(
        key: "stuck", text: "“\(step)” did not return within \(Self.patience)", step: index)
    }
    return staysBusy ? session.failure(at: index) : settle(index)
  }

  /// Lets the main queue run what waits for it, and says what is wrong then.
  private func settle(_ index: Int) -> StormFailure? {
    letMainGo()
    let wrong = onMain { self.session.scoped { self.shim.firstFailure() } }
    if let failure = session.failure(at: index) { return failure }
    return wrong.map { StormFailure(key: $0, text: $0, step: index) }
  }

  private func letMainGo() {
    hold?.release()
    hold = nil
    onMain {}
  }

  private func onMain<Result>(_ body: () -> Result) -> Result {
    DispatchQueue.main.sync(execute: body)
  }

  // MARK: Deliveries

  /// Whether the step has ended.
  private func perform(_ step: ScheduleStep) -> Bool {
    switch step.action {
    case .cancel: onMain { session.scoped { shim.cancel() } }
    case .lifecycle(let move): onMain { session.scoped { shim.move(move) } }
    case .deliver(let name, let place): return deliver(name, on: place, step.times)
    }
    return true
  }

  private func deliver(
    _ name: String, on place: ScheduleStep.Place, _ times: ScheduleStep.Times
  ) -> Bool {
    let ended = DispatchSemaphore(value: 0)
    let call: @Sendable () -> Void = { [session, shim] in
      session.scoped { shim.deliver(name) }
    }
    switch times {
    case .once: send(to: place, call, then: ended)
    case .twice:
      send(
        to: place,
        {
          call()
          call()
        }, then: ended)
    case .concurrently:
      let start = StartingLine(2)
      for place in [place, .thread] {
        send(
          to: place,
          {
            start.wait()
            call()
          }, then: ended)
      }
      return wait(for: ended) && wait(for: ended)
    }
    return wait(for: ended)
  }

  private func wait(for ended: DispatchSemaphore) -> Bool {
    if hold != nil {
      if ended.wait(timeout: .now() + Self.suspicion) == .success { return true }
      callbacksWaitForMain = true
      hold?.release()
      hold = nil
    }
    return ended.wait(timeout: .now() + Self.patience) == .success
  }

  private func send(
    to place: ScheduleStep.Place, _ call: @escaping @Sendable () -> Void,
    then ended: DispatchSemaphore
  ) {
    let inner = inner
    let work: @Sendable () -> Void = {
      call()
      ended.signal()
    }
    switch place {
    case .main: sendToMain(work)
    case .queueOnMain: sendToMain { inner.sync(execute: work) }
    case .mainSync: inner.async { DispatchQueue.main.sync(execute: work) }
    case .queue: inner.async(execute: work)
    case .nestedQueue: outer.async { inner.sync(execute: work) }
    case .global: DispatchQueue.global().async(execute: work)
    case .thread: Thread(block: work).start()
    case .task: Task.detached { work() }
    }
  }

  private func sendToMain(_ work: @escaping @Sendable () -> Void) {
    if let hold { hold.run(work) } else { DispatchQueue.main.async(execute: work) }
  }
}

/// Where threads wait for each other, awake, so that they set out together.
private final class StartingLine: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) { missing = Atomic(count) }

  func wait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { sched_yield() }
  }
}

extension ViolationSession {
  fileprivate func failure(at step: Int) -> StormFailure? {
    violations.first.map { StormFailure($0, step: step) }
  }
}

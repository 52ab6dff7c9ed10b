import Dispatch
import Synchronization

/// The main queue as a schedule needs it: free, or kept busy. Deinitialization releases the queue.
///
/// All waits are limited, because the code under test may have blocked the main queue.
final class StormMainQueue {
  private var hold: MainHold?
  private let patience: DispatchTimeInterval
  private let relieve: () -> Void

  /// - Parameter relieve: Called if the queue seems to wait for work that the storm holds.
  init(patience: DispatchTimeInterval, relieve: @escaping () -> Void) {
    self.patience = patience
    self.relieve = relieve
  }

  deinit { hold?.release() }

  /// True if blocks that other code sends to the main queue wait.
  var isBusy: Bool { hold != nil }

  /// Starts keeping the queue busy. Returns false if the queue does not respond.
  func keepBusy() -> Bool {
    if hold == nil { hold = MainHold.take(within: patience) }
    return hold != nil
  }

  /// Releases the queue, which then runs its waiting blocks.
  func letGo() {
    hold?.release()
    hold = nil
  }

  /// Releases the queue, and runs `body` after all blocks that wait there. Returns nil if the queue
  /// does not respond.
  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    letGo()
    let turn = Turn<Result>()
    DispatchQueue.main.async { turn.run(body) }
    if !turn.comes(within: patience) { relieve() }
    return turn.result(within: patience)
  }

  /// Runs `body` on the queue. While the queue is kept busy, `body` runs before all waiting blocks.
  func runNext<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    guard hold != nil else { return run(body) }
    let turn = Turn<Result>()
    send { turn.run(body) }
    if !turn.comes(within: patience) { relieve() }
    return turn.result(within: patience)
  }

  /// Sends work to the queue. While the queue is kept busy, the work runs before all waiting
  /// blocks.
  func send(_ work: @escaping @Sendable () -> Void) {
    if let hold { hold.run(work) } else { DispatchQueue.main.async(execute: work) }
  }
}

/// A block on the main queue whose result is awaited. The block does nothing if the wait has timed
/// out.
private final class Turn<Result: Sendable>: Sendable {
  private enum State {
    case awaited, abandoned
    case done(Result)
  }

  private let state = Mutex(State.awaited)
  private let ended = DispatchSemaphore(value: 0)

  func run(_ body: () -> Result) {
    guard case .awaited = state.withLock({ $0 }) else { return }
    let result = body()
    state.withLock { $0 = .done(result) }
    ended.signal()
  }

  /// Returns true once `body` has run; false if `body` seems to wait for work that the storm holds.
  func comes(within patience: DispatchTimeInterval) -> Bool {
    StallDetector.completes(within: patience) { until in
      guard ended.wait(timeout: until) == .success else { return false }
      ended.signal()
      return true
    }
  }

  func result(within patience: DispatchTimeInterval) -> Result? {
    _ = ended.wait(timeout: .now() + patience)
    return state.withLock { state in
      if case .done(let result) = state { return result }
      state = .abandoned
      return nil
    }
  }
}

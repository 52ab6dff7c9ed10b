import Dispatch
import Synchronization

/// The main queue as a schedule has it: free, or kept busy; given back however the schedule ends.
///
/// Nothing here waits for good: code under test may have blocked the main queue.
final class StormMainQueue {
  private var hold: MainHold?
  private let patience: DispatchTimeInterval
  private let relieve: () -> Void

  /// - Parameter relieve: Called where the queue seems to wait for something that is kept back.
  init(patience: DispatchTimeInterval, relieve: @escaping () -> Void) {
    self.patience = patience
    self.relieve = relieve
  }

  deinit { hold?.release() }

  /// Whether what others send to the main queue waits.
  var isBusy: Bool { hold != nil }

  /// Keeps the queue busy from here on; false if it does not arrive.
  func keepBusy() -> Bool {
    if hold == nil { hold = MainHold.take(within: patience) }
    return hold != nil
  }

  /// Lets the queue run its waiting blocks.
  func letGo() {
    hold?.release()
    hold = nil
  }

  /// Lets the queue go, and runs `body` on it after all that waits there; nil if it does not arrive.
  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    letGo()
    let turn = Turn<Result>()
    DispatchQueue.main.async { turn.run(body) }
    if !turn.comes(within: patience) { relieve() }
    return turn.result(within: patience)
  }

  /// Runs `body` on the queue: while it is busy, before all that waits there.
  func runNext<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    guard hold != nil else { return run(body) }
    let turn = Turn<Result>()
    send { turn.run(body) }
    if !turn.comes(within: patience) { relieve() }
    return turn.result(within: patience)
  }

  /// Sends work to the queue, before all that waits for it while it is busy.
  func send(_ work: @escaping @Sendable () -> Void) {
    if let hold { hold.run(work) } else { DispatchQueue.main.async(execute: work) }
  }
}

/// Work on the main queue with a waiter; the work is skipped once the waiter has given up.
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

  /// Whether it has been done; false if it seems to wait for something.
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

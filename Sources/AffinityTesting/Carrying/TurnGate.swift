import Dispatch
import Synchronization

/// Keeps what a task's turn has sent to queues from running before the turn is over: whether an answer comes before the
/// task waits for it would be a matter of speed.
final class TurnGate: Sendable {
  private struct State {
    var isClosed = false
    var waiting: [DispatchSemaphore] = []
  }

  private let state = Mutex(State())

  /// How long work waits: a turn may itself wait for what it has sent.
  private static let patience = DispatchTimeInterval.milliseconds(20)

  func close() { state.withLock { $0.isClosed = true } }

  func open() {
    let waiting = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    for semaphore in waiting { semaphore.signal() }
  }

  /// Waits until it is open, for a while.
  func pass() {
    let semaphore: DispatchSemaphore? = state.withLock { state in
      guard state.isClosed else { return nil }
      let semaphore = DispatchSemaphore(value: 0)
      state.waiting.append(semaphore)
      return semaphore
    }
    _ = semaphore?.wait(timeout: .now() + Self.patience)
  }
}

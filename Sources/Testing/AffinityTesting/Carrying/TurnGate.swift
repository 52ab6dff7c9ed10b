import Dispatch
import Synchronization

internal import CTestProcess

/// Holds back work that a task's turn has sent to queues until the turn is over: otherwise the order of the
/// answer and the wait for it would depend on speed.
final class TurnGate: Sendable {
  private struct State {
    /// The thread whose turn it is; nil while the gate is open.
    var turn: Int32?
    var waiting: [DispatchSemaphore] = []
  }

  private let state = Mutex(State())

  private static let step = DispatchTimeInterval.milliseconds(5)
  /// The number of consecutive checks in which the thread of the turn must be asleep, and the maximum number of
  /// checks. If another thread of this process could run, the sleeping one may wait for a lock whose owner has
  /// no processor.
  private static let (asleep, most) = (40, 2000)
  private static let weightAtRest = 10

  /// Closes it for the turn that the calling thread plays.
  func close() { state.withLock { $0.turn = ms_own_thread() } }

  /// Opens it, unless another thread has taken over the turn.
  func open() {
    let waiting = state.withLock { state -> [DispatchSemaphore] in
      guard state.turn == ms_own_thread() else { return [] }
      defer { state = State() }
      return state.waiting
    }
    for semaphore in waiting { semaphore.signal() }
  }

  /// Waits until the gate is open. A turn may wait for work that it has sent: then its thread sleeps, unlike a
  /// thread that is slow or waits for a processor.
  func pass() {
    let semaphore = DispatchSemaphore(value: 0)
    let turn = state.withLock { state in
      if state.turn != nil { state.waiting.append(semaphore) }
      return state.turn
    }
    guard let turn, turn != ms_own_thread() else { return }
    var seenAsleep = 0
    for _ in 1...Self.most where seenAsleep < Self.asleep {
      if semaphore.wait(timeout: .now() + Self.step) == .success { return }
      if !ms_thread_waits(turn) {
        seenAsleep = 0
      } else {
        seenAsleep += ms_process_rests() ? Self.weightAtRest : 1
      }
    }
  }
}

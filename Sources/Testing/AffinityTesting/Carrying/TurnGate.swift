import Dispatch
import Synchronization

internal import CTestProcess

/// Holds work that a task's turn sent to queues until the turn is over. Otherwise the order of the
/// answer and the wait for the answer would depend on thread timing.
final class TurnGate: Sendable {
  private struct State {
    /// The kernel id of the thread that runs the turn; nil while the gate is open.
    var turn: Int32?
    var waiting: [DispatchSemaphore] = []
  }

  private let state = Mutex(State())

  private static let step = DispatchTimeInterval.milliseconds(5)
  /// The number of consecutive checks that must find the turn's thread asleep, and the maximum
  /// number of checks. One check is not enough: while another thread of the process is runnable,
  /// the turn's thread may be waiting for a lock whose owner has no processor.
  private static let (asleep, most) = (40, 2000)
  /// The weight of a check that finds the whole process idle.
  private static let weightAtRest = 10

  /// Closes the gate for a turn on the calling thread.
  func close() { state.withLock { $0.turn = ms_own_thread() } }

  /// Opens the gate, unless a turn on another thread has closed it again.
  func open() {
    let waiting = state.withLock { state -> [DispatchSemaphore] in
      guard state.turn == ms_own_thread() else { return [] }
      defer { state = State() }
      return state.waiting
    }
    for semaphore in waiting { semaphore.signal() }
  }

  /// Waits until the gate is open. Also returns if the turn waits for work that it has sent: the
  /// turn's thread then sleeps, unlike a thread that is slow or waits for a processor.
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

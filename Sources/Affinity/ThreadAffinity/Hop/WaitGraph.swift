internal import CRecorder
import Synchronization

/// The waits of threads for queues, to detect a cycle before it closes.
enum WaitGraph {
  /// A wait: the queue for which a thread waits, and the serial queues that the thread occupies meanwhile.
  struct Wait: Sendable {
    fileprivate let id: UInt64
    fileprivate let wanted: UInt
    fileprivate let held: [UInt]
  }

  private struct State {
    var waits: [Wait] = []
    var last: UInt64 = 0
  }

  private static let state = Mutex(State())

  /// Adds a wait of this thread for `queue`; returns nil if `queue` already waits for this thread.
  static func enter(for queue: UnsafeRawPointer) -> Wait? {
    let wanted = UInt(bitPattern: queue)
    let held = queuesHere()
    return state.withLock { state in
      if leads(from: wanted, to: held, along: state.waits) { return nil }
      state.last += 1
      let wait = Wait(id: state.last, wanted: wanted, held: held)
      state.waits.append(wait)
      return wait
    }
  }

  static func leave(_ wait: Wait) {
    state.withLock { state in state.waits.removeAll { $0.id == wait.id } }
  }

  /// True if `queue` cannot run because waits lead from `queue` to one of `held`.
  private static func leads(from queue: UInt, to held: [UInt], along waits: [Wait]) -> Bool {
    var reached: Set<UInt> = [queue]
    var open = [queue]
    while let next = open.popLast() {
      if held.contains(next) { return true }
      for wait in waits where wait.held.contains(next) && reached.insert(wait.wanted).inserted {
        open.append(wait.wanted)
      }
    }
    return false
  }

  private static func queuesHere() -> [UInt] {
    let room = 64
    return withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: room) { buffer in
      let count = ms_queue_all_here(buffer.baseAddress, room)
      var queues = buffer.prefix(count).filter(ms_queue_is_serial).map { UInt(bitPattern: $0) }
      // A thread may run main-queue work without the main queue among its queues.
      let main = UInt(bitPattern: MainQueue.queue.address)
      if ms_queue_on_main() && !queues.contains(main) { queues.append(main) }
      return queues
    }
  }
}

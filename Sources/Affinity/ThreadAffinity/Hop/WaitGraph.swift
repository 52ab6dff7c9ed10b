internal import CRecorder
import Synchronization

/// The waits of threads for queues, to detect a cycle before it closes.
///
enum WaitGraph {
  /// One wait: the queue it waits for, and the serial queues it keeps others from meanwhile.
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

  /// Enters a wait of this thread for `queue`; `nil` where that queue waits for this thread already.
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

  /// Whether `queue` is kept from running by waits that end at one of `held`.
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
      // A thread may hold the main queue without a trace in its executor.
      let main = UInt(bitPattern: MainQueue.queue.address)
      if ms_queue_on_main() && !queues.contains(main) { queues.append(main) }
      return queues
    }
  }
}

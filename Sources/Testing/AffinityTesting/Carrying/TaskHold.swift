import Dispatch
import Glibc
import Synchronization

internal import CTestProcess

// Unchecked, because `work` is a pointer. Only the thread that has the job uses the pointer.
/// A held job of a task.
struct HeldPart: @unchecked Sendable {
  let work: OpaquePointer
  let sent: SentWork

  func letGo() {
    sent.goOn()
    ms_let_go(work)
  }
}

/// Holds the runnable jobs of tasks until the storm chooses the next one.
final class TaskHold: Sendable {
  private struct State {
    var isOpen = true
    /// Jobs in the order of `SendingOrder`.
    var ready: [HeldPart] = []
    /// Jobs that arrived since the last release, on several threads, not sorted yet.
    var fresh: [HeldPart] = []
    var hasSeenClock = false
  }

  private let state = Mutex(State())

  /// True if this process can hold jobs of tasks.
  static let isPossible = ms_carries()

  /// Holds a job. Returns false if jobs are not held; the job then runs at once.
  func hold(_ part: HeldPart) -> Bool {
    state.withLock { state in
      if state.isOpen { return false }
      part.sent.pause()
      state.fresh.append(part)
      if part.sent.order.isOfClock { state.hasSeenClock = true }
      return true
    }
  }

  /// Notes that a timer fired while jobs were held.
  func noteClock() { state.withLock { $0.hasSeenClock = $0.hasSeenClock || !$0.isOpen } }

  /// True if a timer fired while jobs were held.
  var hasSeenClock: Bool { state.withLock { $0.hasSeenClock } }

  var isKeepingBack: Bool { state.withLock { !$0.isOpen } }

  /// Starts holding jobs.
  func close() { state.withLock { $0.isOpen = false } }

  /// Releases all held jobs, and stops holding.
  func open() {
    let ready = state.withLock { state in
      defer { (state.ready, state.fresh) = ([], []) }
      state.isOpen = true
      return state.ready + state.fresh
    }
    for held in ready { held.letGo() }
  }

  /// Releases the ready job whose index `choose` returns. Returns false if no job is ready.
  func letOneGo(_ choose: (Int) -> Int) -> Bool {
    let held = state.withLock { state -> HeldPart? in
      // Sorting makes the choice independent of thread timing.
      state.ready += state.fresh.sorted {
        $0.sent.order.path.lexicographicallyPrecedes($1.sent.order.path)
      }
      state.fresh = []
      return state.ready.isEmpty ? nil : state.ready.remove(at: choose(state.ready.count))
    }
    held?.letGo()
    return held != nil
  }
}

import Dispatch
import Glibc
import Synchronization

internal import CTestProcess

/// A part of a task that could run. Handed over, never shared.
struct HeldPart: @unchecked Sendable {
  let work: OpaquePointer
  let sent: SentWork

  func letGo() {
    sent.goOn()
    ms_let_go(work)
  }
}

/// Keeps back the parts of tasks that could run, until it is said which is next.
final class TaskHold: Sendable {
  private struct State {
    var isOpen = true
    /// In the order in which they came.
    var ready: [HeldPart] = []
    /// Work that arrived since the last release, from several threads, so that its order must be found.
    var fresh: [HeldPart] = []
    var hasSeenClock = false
  }

  private let state = Mutex(State())

  /// Whether tasks can be kept back in this process at all.
  static let isPossible = ms_carries()

  /// Keeps work back; false if it is to run as it comes.
  func hold(_ part: HeldPart) -> Bool {
    state.withLock { state in
      if state.isOpen { return false }
      part.sent.pause()
      state.fresh.append(part)
      if part.sent.order.isOfClock { state.hasSeenClock = true }
      return true
    }
  }

  /// Something has come when the clock said so.
  func noteClock() { state.withLock { $0.hasSeenClock = $0.hasSeenClock || !$0.isOpen } }

  /// Whether something came, while it kept tasks back, when the clock said so.
  var hasSeenClock: Bool { state.withLock { $0.hasSeenClock } }

  var isKeepingBack: Bool { state.withLock { !$0.isOpen } }

  /// Keeps back what comes from now on.
  func close() { state.withLock { $0.isOpen = false } }

  /// Lets all go, now and from now on.
  func open() {
    let ready = state.withLock { state in
      defer { (state.ready, state.fresh) = ([], []) }
      state.isOpen = true
      return state.ready + state.fresh
    }
    for held in ready { held.letGo() }
  }

  /// Lets one of those go that are ready, as `choose` says; false if none exists.
  func letOneGo(_ choose: (Int) -> Int) -> Bool {
    let held = state.withLock { state -> HeldPart? in
      // The order of the threads does not matter.
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

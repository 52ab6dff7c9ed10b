import Dispatch
import Synchronization

internal import CTestProcess

/// Keeps back the parts of tasks that could run, until it is said which is next.
final class TaskHold: Sendable {
  private struct State {
    var isOpen = true
    var ready: [Held] = []
  }

  // Handed over, never shared.
  private struct Held: @unchecked Sendable {
    let work: OpaquePointer
    let sent: SentWork

    func letGo() {
      sent.goOn()
      ms_let_go(work)
    }
  }

  private let state = Mutex(State())

  /// Whether tasks can be kept back in this process at all.
  static let isPossible = ms_carries()

  /// Keeps work back; false where it is to run as it comes.
  func hold(_ work: OpaquePointer, _ sent: SentWork) -> Bool {
    state.withLock { state in
      if state.isOpen { return false }
      sent.pause()
      state.ready.append(Held(work: work, sent: sent))
      return true
    }
  }

  var isKeepingBack: Bool { state.withLock { !$0.isOpen } }

  /// Keeps back what comes from now on.
  func close() { state.withLock { $0.isOpen = false } }

  /// Lets all go, now and from now on.
  func open() {
    let ready = state.withLock { state in
      defer { state.ready = [] }
      state.isOpen = true
      return state.ready
    }
    for held in ready { held.letGo() }
  }

  /// Lets one of those go that are ready, as `choose` says; false where none is.
  func letOneGo(_ choose: (Int) -> Int) -> Bool {
    let held = state.withLock { state -> Held? in
      state.ready.isEmpty ? nil : state.ready.remove(at: choose(state.ready.count))
    }
    held?.letGo()
    return held != nil
  }
}

import Dispatch
import Glibc
import Synchronization

internal import CTestProcess

/// Keeps back the parts of tasks that could run, until it is said which is next.
final class TaskHold: Sendable {
  private struct State {
    var isOpen = true
    /// In the order in which they came.
    var ready: [Held] = []
    /// What has come since one was let go: of several threads, so that the order is to be found.
    var fresh: [Held] = []
    var hasSeenClock = false
  }

  // Handed over, never shared.
  private enum Held: @unchecked Sendable {
    /// A part of a task that could run.
    case job(OpaquePointer, SentWork)
    /// A task that is about to change its actor.
    case change(ms_turn, ViolationSession, SendingOrder)

    var order: SendingOrder {
      switch self {
      case .job(_, let sent): sent.order
      case .change(_, _, let order): order
      }
    }

    func letGo() {
      switch self {
      case .job(let work, let sent):
        sent.goOn()
        ms_let_go(work)
      case .change(let turn, let session, _):
        // It goes there at once, or waits for whoever is there.
        TaskHold.isLettingGo.withLock { $0 = pthread_self() }
        session.gate.close()
        defer { session.gate.open() }
        session.scoped { ms_give_turn_back(turn) }
        TaskHold.isLettingGo.withLock { $0 = nil }
      }
    }
  }

  private let state = Mutex(State())

  /// The thread that sends a task to another actor: the job that comes of it is not kept back again.
  private static let isLettingGo = Mutex<pthread_t?>(nil)

  // Set once, and constant.
  nonisolated(unsafe) private static let taker: UnsafePointer<ms_turn_taker> = {
    let taker = UnsafeMutablePointer<ms_turn_taker>.allocate(capacity: 1)
    taker.initialize(
      to: ms_turn_taker(
        take: { TaskHold.take($0) }, takes: { _ in TaskHold.here != nil }, takesJobs: false))
    return UnsafePointer(taker)
  }()

  /// What would keep back what the caller's task does next.
  private static var here: (hold: TaskHold, session: ViolationSession)? {
    guard case .session(let session) = Sender.here, let hold = session.tasks, hold.isKeepingBack
    else { return nil }
    return (hold, session)
  }

  private static func take(_ turn: ms_turn) -> Bool {
    guard let (hold, session) = here else { return false }
    return hold.keep(
      .change(turn, session, SentWork.nextOrder(of: .session(session))))
  }

  /// Whether tasks can be kept back in this process at all.
  static let isPossible = ms_carries()

  /// Keeps work back; false where it is to run as it comes.
  func hold(_ work: OpaquePointer, _ sent: SentWork) -> Bool {
    if Self.isLettingGo.withLock({ $0 }) == pthread_self() { return false }
    return keep(.job(work, sent))
  }

  private func keep(_ held: Held) -> Bool {
    state.withLock { state in
      if state.isOpen { return false }
      if case .job(_, let sent) = held { sent.pause() }
      state.fresh.append(held)
      if held.order.isOfClock { state.hasSeenClock = true }
      return true
    }
  }

  /// Something has come when the clock said so.
  func noteClock() { state.withLock { $0.hasSeenClock = $0.hasSeenClock || !$0.isOpen } }

  /// Whether something came, while it kept tasks back, when the clock said so.
  var hasSeenClock: Bool { state.withLock { $0.hasSeenClock } }

  var isKeepingBack: Bool { state.withLock { !$0.isOpen } }

  /// Keeps back what comes from now on: also a task that changes to an actor which is free.
  func close() {
    state.withLock { $0.isOpen = false }
    ms_take_turns_by(Self.taker)
  }

  /// Lets all go, now and from now on.
  func open() {
    ms_take_turns_by(nil)
    let ready = state.withLock { state in
      defer { (state.ready, state.fresh) = ([], []) }
      state.isOpen = true
      return state.ready + state.fresh
    }
    for held in ready { held.letGo() }
  }

  /// Lets one of those go that are ready, as `choose` says; false where none is.
  func letOneGo(_ choose: (Int) -> Int) -> Bool {
    let held = state.withLock { state -> Held? in
      // Which thread was faster is no matter.
      state.ready += state.fresh.sorted {
        $0.order.path.lexicographicallyPrecedes($1.order.path)
      }
      state.fresh = []
      return state.ready.isEmpty ? nil : state.ready.remove(at: choose(state.ready.count))
    }
    held?.letGo()
    return held != nil
  }
}

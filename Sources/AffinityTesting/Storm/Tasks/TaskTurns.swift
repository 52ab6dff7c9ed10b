import Dispatch
import Glibc
import Synchronization

internal import CRuntime
internal import CTestProcess

/// The turns of the tasks of one run: those that have come, and whose they are.
final class TaskTurns: Sendable {
  /// A turn that has come.
  struct Ready: @unchecked Sendable {
    fileprivate let turn: ms_turn
    /// Whose it is.
    let name: String
    /// Whether a task was only stopped for a moment, as it is about to change its actor.
    var isChange: Bool { turn.isChange }
  }

  private struct State {
    var ready: [Ready] = []
    /// What was resumed by something that is not part of the run: a timer, a thread. It comes when it
    /// pleases, so it waits until nothing else can go on.
    var fromOutside: [Ready] = []
    /// What was resumed by queues that the run has sent work to, since this was asked last: which of them was faster is
    /// no matter.
    var fromQueues: [(ready: Ready, order: SendingOrder)] = []
    /// What comes as a task is sent to the actor that it changes to; it goes on at once.
    var direct: [Ready]?
    var names: [UInt64: String] = [:]
    var counts: [String: Int] = [:]
    /// Whose turn it is, and the name of the task that begins, where it has one.
    var current = ""
    var nextName: String?
    /// The thread of the storm's, while it does something itself. What others begin meanwhile is not its own.
    var acting: pthread_t?
    var hasSeenOutside = false
  }

  private let session: ViolationSession
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)

  /// Whether the order of tasks can be chosen in this process at all.
  static let arePossible = ms_sees_jobs()

  /// Whether a task can be stopped where it changes its actor.
  static let seeChanges = ms_sees_changes()

  // One run at a time.
  private static let played = Mutex<TaskTurns?>(nil)

  // Set once, and constant.
  nonisolated(unsafe) private static let taker: UnsafePointer<ms_turn_taker> = {
    let taker = UnsafeMutablePointer<ms_turn_taker>.allocate(capacity: 1)
    taker.initialize(
      to: ms_turn_taker(
        take: { turn in TaskTurns.played.withLock { $0 }?.take(turn) ?? false },
        takes: { task in TaskTurns.played.withLock { $0 }?.owns(task) ?? false },
        takesJobs: true))
    return UnsafePointer(taker)
  }()

  init(of session: ViolationSession) { self.session = session }

  /// Takes the turns of this run's tasks from now on.
  func begin() {
    Self.played.withLock { $0 = self }
    ms_take_turns_by(Self.taker)
  }

  /// Takes none any more, and lets all go on that wait.
  func end() {
    Self.played.withLock { $0 = nil }
    let left = state.withLock { state in
      defer { (state.ready, state.fromOutside, state.fromQueues) = ([], [], []) }
      return state.ready + state.fromOutside + state.fromQueues.map(\.ready)
    }
    for ready in left { ms_give_turn_back(ready.turn) }
  }

  /// Does what the storm itself does: it begins a task of this name, or cancels one.
  func acting(for name: String, begins: Bool, _ body: () -> Void) {
    state.withLock { state in
      (state.acting, state.current) = (pthread_self(), name)
      state.nextName = begins ? name : nil
    }
    body()
    state.withLock { state in (state.acting, state.nextName) = (nil, nil) }
  }

  /// Waits for something from outside of the run; false where nothing comes.
  func waitForOutside(until deadline: DispatchTime) -> Bool {
    news.wait(timeout: deadline) == .success
  }

  /// Something has happened that whoever waits should look at.
  func noteNews() { news.signal() }

  /// The turns that have come, the one that came first first.
  var ready: [Ready] {
    state.withLock { state in
      state.ready += state.fromQueues.sorted {
        $0.order.path.lexicographicallyPrecedes($1.order.path)
      }.map(\.ready)
      state.fromQueues = []
      if state.ready.isEmpty, !state.fromOutside.isEmpty {
        // In an order that does not depend on the clock, where several have come.
        state.ready = state.fromOutside.sorted { $0.turn.task < $1.turn.task }
        state.fromOutside = []
      }
      return state.ready
    }
  }

  /// Whether something has come from outside of the run.
  var hasSeenOutside: Bool { state.withLock { $0.hasSeenOutside } }

  /// Lets one go on, up to where it waits, ends, or changes its actor.
  func play(_ index: Int) {
    session.gate.close()
    defer { session.gate.open() }
    let ready = state.withLock { state in
      let ready = state.ready.remove(at: index)
      state.current = ready.name
      if ready.turn.isChange { state.direct = [] }
      return ready
    }
    ms_play_turn(ready.turn)
    let direct = state.withLock { state in
      defer { state.direct = nil }
      return state.direct ?? []
    }
    for ready in direct { ms_play_turn(ready.turn) }
  }

  private func owns(_ task: UInt64) -> Bool { isHere || state.withLock { $0.names[task] != nil } }

  /// Whether a part of the run runs here: a task that begins inside an actor may never have come by as a job.
  private var isHere: Bool {
    ms_plays_turn_here() || (ms_task_id() != 0 && ViolationSession.current === session)
  }

  /// Where that stands which work of the run's sends here; nil where nothing does, or when a clock said so.
  private var orderOfQueue: SendingOrder? {
    guard ms_carried_here() != nil, case .session(let sender) = Sender.here, sender === session
    else { return nil }
    let order = SentWork.nextOrder(of: .session(session))
    return order.isOfClock ? nil : order
  }

  private func take(_ turn: ms_turn) -> Bool {
    let (isPlayed, isHere) = (ms_plays_turn_here(), isHere)
    let creator = ms_task_id()
    let order = orderOfQueue
    let isTaken = state.withLock { state in
      let isKnown = state.names[turn.task] != nil
      let isOfOurs = isHere || state.acting == pthread_self() || state.names[creator] != nil
      guard isKnown || isOfOurs else { return false }
      let ready = Ready(turn: turn, name: name(of: turn, by: creator, &state))
      if isPlayed, state.direct != nil {
        state.direct?.append(ready)
      } else if turn.isChange || isOfOurs {
        state.ready.append(ready)
      } else if let order {
        state.fromQueues.append((ready, order))
      } else {
        state.fromOutside.append(ready)
        state.hasSeenOutside = true
      }
      return true
    }
    if isTaken { noteNews() }
    return isTaken
  }

  /// A task is called as the scenario says, or after the one that began it.
  private func name(of turn: ms_turn, by creator: UInt64, _ state: inout State) -> String {
    if turn.task != 0, let name = state.names[turn.task] { return name }
    let parent = state.names[creator] ?? state.current
    if turn.task == 0 { return "an actor, for \(parent)" }
    if let name = state.nextName, state.acting == pthread_self() {
      state.nextName = nil
      state.names[turn.task] = name
      return name
    }
    let count = state.counts[parent, default: 0] + 1
    state.counts[parent] = count
    let name = "\(parent)/\(count)"
    state.names[turn.task] = name
    return name
  }
}

import Dispatch
import Glibc
import Synchronization
import ThreadAffinity

internal import CRecorder
internal import CTestProcess

/// The turns of the tasks of one run: those that have come, and whose they are.
final class TaskTurns: Sendable {
  /// A turn that has come.
  struct Ready: Sendable {
    fileprivate enum Part: @unchecked Sendable {
      /// Of a task that the storm began, or of its children.
      case own(UnownedJob, StormExecutor)
      /// Of another that the code began: handed over, never shared.
      case other(ms_turn)
      /// A part that the runtime has sent to a queue: to the main queue, or to resume a task that yields.
      case sent(HeldPart, isOnMain: Bool)
    }

    fileprivate let part: Part

    fileprivate var isOnMain: Bool {
      if case .sent(_, isOnMain: true) = part { true } else { false }
    }

    fileprivate let task: UInt64
    /// The name of the task in a schedule.
    let name: String
    /// The task that it goes on with, or that has sent it.
    let owner: String
    /// Whether a task was only stopped for a moment, as it changes its actor.
    let isChange: Bool
  }

  private struct State {
    var ready: [Ready] = []
    /// Parts that were resumed from outside the run, by a timer or a thread. Their time is arbitrary, so each
    /// waits until no other part can run.
    var fromOutside: [Ready] = []
    /// Parts that were resumed by queues with work of the run, since the last query, in any order.
    var fromQueues: [(ready: Ready, order: SendingOrder)] = []
    var names: [UInt64: String] = [:]
    var counts: [String: Int] = [:]
    /// The task whose turn it is, and the name of a task that begins, if it has one.
    var current = ""
    /// Whether it was sent to the main queue.
    var isOnMain = false
    var nextName: String?
    /// The thread of the storm while it acts itself. Work that other threads begin meanwhile is not its own.
    var acting: pthread_t?
    var hasSeenOutside = false
  }

  private let session: ViolationSession
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)

  /// Whether the order of tasks can be chosen in this process at all.
  static let arePossible = ms_sees_jobs()

  // One run at a time.
  private static let played = Mutex<TaskTurns?>(nil)

  // Set once, and constant.
  nonisolated(unsafe) private static let taker: UnsafePointer<ms_turn_taker> = {
    let taker = UnsafeMutablePointer<ms_turn_taker>.allocate(capacity: 1)
    taker.initialize(
      to: ms_turn_taker(take: { turn in
        TaskTurns.played.withLock { $0 }?.take(.other(turn), turn.task) ?? false
      }))
    return UnsafePointer(taker)
  }()

  /// Takes a job of the run's executor, to let it go on later; false if the run is over.
  func takes(_ job: UnownedJob, on executor: StormExecutor) -> Bool {
    Self.played.withLock { $0 === self } && take(.own(job, executor), job.task)
  }

  /// Takes what the runtime has sent to a queue for a run of that session.
  static func takes(_ part: HeldPart, of session: ViolationSession, isOnMain: Bool) -> Bool {
    guard let turns = played.withLock({ $0 }), turns.session === session else { return false }
    part.sent.pause()
    return turns.take(.sent(part, isOnMain: isOnMain), 0)
  }

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
    for ready in left {
      switch ready.part {
      case .own(let job, let executor): executor.enqueue(job)
      case .other(let turn): ms_send_turn_on(turn)
      case .sent(let part, _): part.letGo()
      }
    }
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

  /// Waits for something from outside of the run; false if nothing comes.
  func waitForOutside(until deadline: DispatchTime) -> Bool {
    news.wait(timeout: deadline) == .success
  }

  /// Wakes all waiters to look again.
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
        state.ready = state.fromOutside.sorted { $0.task < $1.task }
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
      state.current = ready.owner
      state.isOnMain = ready.isOnMain
      return ready
    }
    let before = ms_set_plays_turn_here(true)
    defer { _ = ms_set_plays_turn_here(before) }
    switch ready.part {
    case .own(let job, let executor): executor.run(job)
    case .other(let turn): ms_play_turn(turn)
    case .sent(let part, _): part.letGo()
    }
  }

  /// Whether a part of the run runs here: a task that begins inside an actor may never have come by as a job.
  private var isHere: Bool {
    ms_plays_turn_here() || (ms_task_id() != 0 && ViolationSession.current === session)
  }

  /// The order of the run's work that sends from the current queue; nil if no such work does, or if a clock
  /// triggered it.
  private var orderOfQueue: SendingOrder? {
    guard ms_carried_here() != nil, case .session(let sender) = Sender.here, sender === session
    else { return nil }
    let order = SentWork.nextOrder(of: .session(session))
    return order.isOfClock ? nil : order
  }

  private func take(_ part: Ready.Part, _ task: UInt64) -> Bool {
    let (isHere, isOnMain) = (isHere, MainQueue.isCurrent)
    let creator = ms_task_id()
    let order = orderOfQueue
    let isTaken = state.withLock { state in
      let isKnown = state.names[task] != nil
      let isOfOurs = isHere || state.acting == pthread_self() || state.names[creator] != nil
      if case .other = part, !isKnown, !isOfOurs { return false }
      let isOfTurn = ms_plays_turn_here() || (isOnMain && state.isOnMain)
      let ready = ready(part, task, by: creator, leaving: isOfTurn && creator == 0, &state)
      if isOfOurs || ready.isChange {
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

  /// - Parameter isLeaving: Whether it comes from where a task's turn was, and no task is there any more.
  private func ready(
    _ part: Ready.Part, _ task: UInt64, by creator: UInt64, leaving isLeaving: Bool,
    _ state: inout State
  ) -> Ready {
    let parent = state.names[creator] ?? state.current
    let name = task == 0 ? parent : name(of: task, by: parent, &state)
    let isChange = isLeaving && name == state.current
    let isResumed = task == 0 && !isChange
    return Ready(
      part: part, task: task, name: isResumed ? "resumed by \(name)" : name, owner: name,
      isChange: isChange)
  }

  /// A task is called as the scenario says, or after the one that began it.
  private func name(of task: UInt64, by parent: String, _ state: inout State) -> String {
    if let name = state.names[task] { return name }
    if let name = state.nextName, state.acting == pthread_self() {
      state.nextName = nil
      state.names[task] = name
      return name
    }
    let count = state.counts[parent, default: 0] + 1
    state.counts[parent] = count
    let name = "\(parent)/\(count)"
    state.names[task] = name
    return name
  }
}

import Dispatch
import Glibc
import Synchronization
import ThreadAffinity

internal import CRecorder
internal import CTestProcess

/// The ready turns of one run's tasks, with the name of each task.
final class TaskTurns: Sendable {
  /// A turn that is ready to be played.
  struct Ready: Sendable {
    // Unchecked, because `ms_turn` contains a pointer. Only the caller that removes a turn from
    // `State` runs the turn's job.
    fileprivate enum Part: @unchecked Sendable {
      /// A job of a task that the storm started, or of its child tasks.
      case own(UnownedJob, StormExecutor)
      /// A job of a task that the code under test started.
      case other(ms_turn)
      /// A job that the runtime sent to a queue: to the main queue, or to resume a task that
      /// yielded.
      case sent(HeldPart, isOnMain: Bool)
    }

    fileprivate let part: Part

    fileprivate var isOnMain: Bool {
      if case .sent(_, isOnMain: true) = part { true } else { false }
    }

    fileprivate let task: UInt64
    /// The name of the task in a schedule.
    let name: String
    /// The task that is resumed, or the task that sent the work.
    let owner: String
    /// True if the task only changes its actor, and was not suspended otherwise.
    let isChange: Bool
  }

  private struct State {
    var ready: [Ready] = []
    /// Turns that were resumed from outside the run, by a timer or a thread. The timing of such
    /// turns is arbitrary, so they wait until no other turn is ready.
    var fromOutside: [Ready] = []
    /// Turns that were resumed by the run's work on queues since the last query, unordered.
    var fromQueues: [(ready: Ready, order: SendingOrder)] = []
    var names: [UInt64: String] = [:]
    var counts: [String: Int] = [:]
    /// The name of the task whose turn is played.
    var current = ""
    /// True if the played turn was sent to the main queue.
    var isOnMain = false
    /// The name for the next task that the storm starts.
    var nextName: String?
    /// The storm's thread while it starts or cancels a task. Work that other threads start
    /// meanwhile is not the storm's.
    var acting: pthread_t?
    var hasSeenOutside = false
  }

  private let session: ViolationSession
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)

  /// True if the order of tasks can be controlled in this process.
  static let arePossible = ms_sees_jobs()

  // The run that is played. Only one run is played at a time.
  private static let played = Mutex<TaskTurns?>(nil)

  // Initialized once, then constant.
  nonisolated(unsafe) private static let taker: UnsafePointer<ms_turn_taker> = {
    let taker = UnsafeMutablePointer<ms_turn_taker>.allocate(capacity: 1)
    taker.initialize(
      to: ms_turn_taker(take: { turn in
        TaskTurns.played.withLock { $0 }?.take(.other(turn), turn.task) ?? false
      }))
    return UnsafePointer(taker)
  }()

  /// Takes a job of the run's executor to run it in a later turn. Returns false if the run is over.
  func takes(_ job: UnownedJob, on executor: StormExecutor) -> Bool {
    Self.played.withLock { $0 === self } && take(.own(job, executor), job.task)
  }

  /// Takes a job that the runtime sent to a queue for a run of `session`. Returns false if no such
  /// run is played.
  static func takes(_ part: HeldPart, of session: ViolationSession, isOnMain: Bool) -> Bool {
    guard let turns = played.withLock({ $0 }), turns.session === session else { return false }
    part.sent.pause()
    return turns.take(.sent(part, isOnMain: isOnMain), 0)
  }

  init(of session: ViolationSession) { self.session = session }

  /// Starts taking the turns of this run's tasks.
  func begin() {
    Self.played.withLock { $0 = self }
    ms_take_turns_by(Self.taker)
  }

  /// Stops taking turns, and resumes all remaining tasks.
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

  /// Starts or cancels a task by the storm itself, so that new work is attributed to `name`.
  func acting(for name: String, begins: Bool, _ body: () -> Void) {
    state.withLock { state in
      (state.acting, state.current) = (pthread_self(), name)
      state.nextName = begins ? name : nil
    }
    body()
    state.withLock { state in (state.acting, state.nextName) = (nil, nil) }
  }

  /// Waits for an event from outside the run. Returns false if the deadline passes first.
  func waitForOutside(until deadline: DispatchTime) -> Bool {
    news.wait(timeout: deadline) == .success
  }

  /// Wakes the waiting player.
  func noteNews() { news.signal() }

  /// The ready turns, in the order in which they became ready.
  var ready: [Ready] {
    state.withLock { state in
      state.ready += state.fromQueues.sorted {
        $0.order.path.lexicographicallyPrecedes($1.order.path)
      }.map(\.ready)
      state.fromQueues = []
      if state.ready.isEmpty, !state.fromOutside.isEmpty {
        // The order by task id does not depend on the timing of the events.
        state.ready = state.fromOutside.sorted { $0.task < $1.task }
        state.fromOutside = []
      }
      return state.ready
    }
  }

  /// True if an event came from outside the run.
  var hasSeenOutside: Bool { state.withLock { $0.hasSeenOutside } }

  /// Plays a turn, up to the point where its task suspends, ends or changes its actor.
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

  /// True if the calling thread runs a part of this run. A task that starts inside an actor may
  /// never have been enqueued as a job.
  private var isHere: Bool {
    ms_plays_turn_here() || (ms_task_id() != 0 && ViolationSession.current === session)
  }

  /// The order of the run's work that the current queue executes; nil if it executes no such work,
  /// or if a timer triggered the work.
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

  /// - Parameter isLeaving: True if the played turn enqueued the job after its task was suspended.
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

  /// The name of a task: the name in the scenario, or the name of its parent with a number.
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

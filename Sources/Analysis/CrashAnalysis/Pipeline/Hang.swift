import IncidentModel
import CLogFormat

/// A hang of a watched executor, as the watch recorded it.
struct Hang {
  /// A watched executor: the main queue, or one with a name.
  struct Executor: Hashable {
    let kind: WatchedKind
    let name: String

    init(_ event: Event) {
      // In a report of another tool, a hang of unknown kind is a hang of the main queue.
      kind = WatchedKind(event.category) ?? .mainQueue
      name = kind == .mainQueue ? "" : event.text(MS_KEY_NAME) ?? ""
    }

    /// The name, for use within a sentence.
    var words: String { kind.words(name) }
  }

  /// A thread that holds the hung executor.
  struct Holder {
    /// The kernel id and name of the thread; nil if unknown.
    let thread: Finding.ThreadName?
    let doing: HolderActivity?
    /// The task that the thread runs; nil if none.
    let task: Int64?
    /// The queue that a pool's thread runs; nil if the work is the pool's own.
    let queue: String?
    let frames: [Frame]

    init(_ event: Event, in run: RunState) {
      // An event of a report is about its own thread; an event of a log was recorded by the watch's
      // thread.
      let index = run.source.isForeignReport ? event.thread : 0
      thread = event.integer(MS_KEY_THREAD).map { id in
        Finding.ThreadName(id: Int(id), index: index, name: event.text(MS_KEY_THREAD_NAME) ?? "")
      }
      doing = event.text(MS_KEY_DOING).flatMap(HolderActivity.init)
      task = event.integer(MS_KEY_TASK)
      queue = event.text(MS_KEY_QUEUE)
      frames = run.frames(of: event)
    }

    /// True if the holder waits for work of another thread.
    var waitsForWork: Bool {
      doing == .blocked
        && frames.prefix { $0.role != .code }.map(\.place.function).contains(
          where: WaitFunctions.isWait)
    }
  }

  let executor: Executor
  /// The index of the event in the input, its time, and the duration of the hang by then.
  let place: Int
  let monotonic: UInt64
  let wall: UInt64
  let lasted: UInt64
  /// The threads that hold the executor, worst first; for a pool, all that were recorded.
  private(set) var holders: [Holder]
  /// The owners of the locks for which the holders wait, by the kernel id of the waiting thread.
  private(set) var lockOwners: [Int: Holder] = [:]
  /// The number of threads that held the executor.
  private(set) var threads: Int
  /// The percentage of the last ten seconds in which some thread of the machine waited for a
  /// processor.
  let pressure: Int64?
  /// The number of earlier hangs that the recorder dropped because of its rate limit.
  let leftOut: Int64
  let nearby: [Finding.Nearby]
  /// The requests in flight when the hang began, by id.
  let inFlight: [String: OpenWork.Request]

  /// Reads the event that begins a hang; nil for other events.
  init?(_ event: Event, in run: RunState) {
    guard event.kind == .hang, !Self.isEnd(event), !Self.isMore(event) else { return nil }
    executor = Executor(event)
    place = run.place(of: event)
    monotonic = event.monotonic
    wall = event.wall
    lasted = Self.lasted(event)
    holders = [Holder(event, in: run)]
    threads = event.integer(MS_KEY_THREADS).map { Int(clamping: $0) } ?? 1
    pressure = event.integer(MS_KEY_PRESSURE)
    leftOut = event.integer(MS_KEY_MISSED) ?? 0
    nearby = run.nearby(event)
    inFlight = run.openWork.firstRequests
  }

  /// The first holder's thread.
  var holder: Finding.ThreadName? { holders[0].thread }
  var frames: [Frame] { holders[0].frames }
  var doing: HolderActivity? { holders[0].doing }

  /// True if the watch examines the hang again to find the holder.
  var isOpen: Bool { doing == .starved || (doing == nil && holder == nil) }

  /// True if every thread of the executor waits for work, which may need the same executor.
  var allWaitForWork: Bool { holders.count == threads && holders.allSatisfy(\.waitsForWork) }

  mutating func add(_ event: Event, in run: RunState) {
    if event.messageBytes.isEqual(to: MS_WORD_HOLDS_ITS_LOCK) {
      guard let waiter = event.integer(MS_KEY_WAITER), lockOwners.count < Self.mostHolders else {
        return
      }
      lockOwners[Int(waiter)] = Holder(event, in: run)
      return
    }
    if holders.count < Self.mostHolders { holders.append(Holder(event, in: run)) }
  }

  /// Returns the hang with the threads that stood in tasks as its holders, if it is the hang of a pool
  /// whose holders the watch did not find: a pool that never answered is unknown to the watch.
  func held(by standing: StandingThreads) -> Hang {
    let holders = standing.waiting.map(\.holder).filter { $0.task != nil }
    guard executor.kind == .pool, holder == nil, !holders.isEmpty else { return self }
    var hang = self
    hang.holders = Array(holders.prefix(Self.mostHolders))
    hang.threads = hang.holders.count
    return hang
  }

  private static let mostHolders = 16

  /// True if the event adds a holder of the hung executor, or the owner of a lock for which a
  /// holder waits.
  static func isMore(_ event: Event) -> Bool {
    event.messageBytes.isEqual(to: MS_WORD_HOLDS_IT_TOO)
      || event.messageBytes.isEqual(to: MS_WORD_HOLDS_ITS_LOCK)
  }

  /// True if the event is the last record of a hang.
  static func isEnd(_ event: Event) -> Bool {
    isOver(event) || event.messageBytes.isEqual(to: MS_WORD_WATCHED_NO_MORE)
  }

  static func isOver(_ event: Event) -> Bool {
    event.messageBytes.isEqual(to: MS_WORD_ANSWERS_AGAIN)
  }

  /// Returns the time without a response, in nanoseconds.
  static func lasted(_ event: Event) -> UInt64 {
    let milliseconds = UInt64(clamping: event.integer(MS_KEY_MILLISECONDS) ?? 0)
    return milliseconds.multipliedReportingOverflow(by: 1_000_000).partialValue
  }
}

/// The hangs without a recorded end, in the order of their start.
struct OpenHangs {
  /// A hang that has no further records.
  struct Closed {
    let hang: Hang
    let lasted: UInt64
    let end: End
  }

  enum End {
    case answered
    /// A hang without a recorded end, although the recording continued.
    case unseen
    case recordingEnded
  }

  private(set) var all: [Hang] = []

  /// The maximum number of open hangs, which bounds the memory for malformed logs; a watch has
  /// fewer executors.
  private static let most = 64

  /// Observes an event of a hang, and returns the hang that it closes.
  mutating func observe(_ event: Event, in run: RunState) -> Closed? {
    let executor = Hang.Executor(event)
    let place = all.firstIndex { $0.executor == executor }
    if Hang.isMore(event) {
      if let place { all[place].add(event, in: run) }
      return nil
    }
    // The watch records a hang again once it finds the holder; both records are one hang.
    if let place, all[place].isOpen, let held = Hang(event, in: run) {
      all[place] = held
      return nil
    }
    let closed = place.map { place in
      let hang = all.remove(at: place)
      return Closed(
        hang: hang, lasted: max(hang.lasted, Hang.lasted(event)),
        end: Hang.isOver(event) ? .answered : .unseen)
    }
    if let hang = Hang(event, in: run), all.count < Self.most { all.append(hang) }
    return closed
  }
}

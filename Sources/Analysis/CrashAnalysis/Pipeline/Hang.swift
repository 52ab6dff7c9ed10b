import IncidentModel
import CLogFormat

/// Something that does not answer, as the watch on it recorded.
struct Hang {
  /// A watched executor: the main queue, or one with a name.
  struct Executor: Hashable {
    let kind: WatchedKind
    let name: String

    init(_ event: Event) {
      // A report's hang is the main queue's, whatever it calls it.
      kind = WatchedKind(event.category) ?? .mainQueue
      name = kind == .mainQueue ? "" : event.text(MS_KEY_NAME) ?? ""
    }

    /// The name inside a sentence.
    var words: String { kind.words(name) }
  }

  /// A thread that holds it.
  struct Holder {
    /// The kernel id and name of the thread; nil if unknown.
    let thread: Finding.ThreadName?
    let doing: HolderActivity?
    /// The task that it runs; nil if none.
    let task: Int64?
    /// Of a pool: the queue it runs, where it is not the pool's own.
    let queue: String?
    let frames: [Frame]

    init(_ event: Event, in run: RunState) {
      // A report's events are those of the thread they are about, a log's are the watch's.
      let index = run.source.isForeignReport ? event.thread : 0
      thread = event.integer(MS_KEY_THREAD).map { id in
        Finding.ThreadName(id: Int(id), index: index, name: event.text(MS_KEY_THREAD_NAME) ?? "")
      }
      doing = event.text(MS_KEY_DOING).flatMap(HolderActivity.init)
      task = event.integer(MS_KEY_TASK)
      queue = event.text(MS_KEY_QUEUE)
      frames = run.frames(of: event)
    }

    /// True if it waits for work of another thread.
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
  /// The threads that hold the executor, worst first; for a pool all recorded ones.
  private(set) var holders: [Holder]
  /// The threads that have the locks which its holders wait for, by the waiting thread's kernel id.
  private(set) var lockOwners: [Int: Holder] = [:]
  /// How many there were.
  let threads: Int
  /// The share of ten seconds in which threads of the machine waited for a processor, in percent.
  let pressure: Int64?
  /// How many hangs before it were not recorded, as there had been many.
  let leftOut: Int64
  let nearby: [Finding.Nearby]
  /// Requests that were in flight, by their ids.
  let inFlight: [String: OpenWork.Request]

  /// Nil if the event is not the beginning of a hang.
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

  /// The one whose stack comes first.
  var holder: Finding.ThreadName? { holders[0].thread }
  var frames: [Frame] { holders[0].frames }
  var doing: HolderActivity? { holders[0].doing }

  /// True if the watch examines the hang again to find the holder.
  var isOpen: Bool { doing == .starved || (doing == nil && holder == nil) }

  /// Whether each of its threads waits for work of others, which they may be the ones to do.
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

  private static let mostHolders = 16

  /// Whether it says who else holds what hangs, or has the lock that a holder waits for.
  static func isMore(_ event: Event) -> Bool {
    event.messageBytes.isEqual(to: MS_WORD_HOLDS_IT_TOO)
      || event.messageBytes.isEqual(to: MS_WORD_HOLDS_ITS_LOCK)
  }

  /// Whether it is the last that is recorded of a hang.
  static func isEnd(_ event: Event) -> Bool {
    isOver(event) || event.messageBytes.isEqual(to: MS_WORD_WATCHED_NO_MORE)
  }

  static func isOver(_ event: Event) -> Bool {
    event.messageBytes.isEqual(to: MS_WORD_ANSWERS_AGAIN)
  }

  /// For how long there had been no answer, in nanoseconds.
  static func lasted(_ event: Event) -> UInt64 {
    let milliseconds = UInt64(clamping: event.integer(MS_KEY_MILLISECONDS) ?? 0)
    return milliseconds.multipliedReportingOverflow(by: 1_000_000).partialValue
  }
}

/// The hangs without a recorded end, in the order of their begin.
struct OpenHangs {
  /// A hang of which nothing more comes.
  struct Closed {
    let hang: Hang
    let lasted: UInt64
    let end: End
  }

  enum End {
    case answered
    /// Nothing more was seen of it, though the recording went on.
    case unseen
    case recordingEnded
  }

  private(set) var all: [Hang] = []

  /// A log may be anything; a watch has room for fewer.
  private static let most = 64

  /// Observes an event of a hang, and returns the hang that it closes.
  mutating func observe(_ event: Event, in run: RunState) -> Closed? {
    let executor = Hang.Executor(event)
    let place = all.firstIndex { $0.executor == executor }
    if Hang.isMore(event) {
      if let place { all[place].add(event, in: run) }
      return nil
    }
    // A hang without a processor or a known holder, followed by one with a holder, is a single hang with that
    // holder.
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

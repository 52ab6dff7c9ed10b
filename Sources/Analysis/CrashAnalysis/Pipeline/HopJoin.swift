import IncidentModel
import CLogFormat

/// Joins the crumbs of each hop by its id; keeps only pending calls.
struct HopJoin {
  /// The numbers of a hop and its target: 32 bits of each object's address, which are unique among
  /// the objects that exist at the same time.
  struct Objects: Equatable {
    var hop: UInt32
    /// The number of the hop's target; 0 if it has none.
    var target: UInt32

    init(_ word: Int64) {
      hop = UInt32(truncatingIfNeeded: word)
      target = UInt32(truncatingIfNeeded: word >> 32)
    }
  }

  /// A hop that has arrived.
  struct Arrival {
    var monotonic: UInt64
    var thread: Int
    var queue: String?
    var onMain: Bool
    var name: String
    /// The place of the hop in the source: `Module/File.swift:12`.
    var at: String?
    /// The hop and its target; nil in logs that do not record them.
    var objects: Objects?
    /// The number of the sending queue in the input if the queue is serial; else 0.
    var serialQueue: UInt32

    init(_ event: Event) {
      monotonic = event.monotonic
      thread = event.thread
      queue = event.queue?.label
      onMain = event.onMain == .yes
      name = event.text(MS_KEY_NAME) ?? ""
      at = event.text(MS_KEY_SITE)
      objects = event.integer(MS_KEY_OBJECTS).map(Objects.init)
      serialQueue = event.marks.contains(.onSerialQueue) ? event.queueNumber : 0
    }

    var site: CodePlace? { at.map { MisplacedWork.place(at: $0, function: "") } }

    /// Returns the steps of the hop: arrived there, ran here.
    func steps(ranAt event: Event, _ run: RunState) -> [Finding.Step] {
      let end = event.messageBytes.isEqual(to: MS_WORD_DROP) ? "dropped" : "ran"
      return [
        Finding.Step("arrived", thread: run.thread(thread), queue: queue, place: site),
        Finding.Step(
          "\(end) \(TimeSpan.text(nanoseconds: event.monotonic &- monotonic)) later",
          thread: run.thread(event.thread), queue: event.queue?.label),
      ]
    }
  }

  private(set) var pending: [UInt64: Arrival] = [:]
  private let most = 1 << 16

  mutating func observe(_ event: Event) {
    guard let id = event.hop else { return }
    if event.messageBytes.isEqual(to: MS_WORD_ARRIVAL) {
      // Hops whose end was overwritten would never be removed.
      if pending.count >= most { pending.removeAll() }
      pending[id] = Arrival(event)
    } else {
      pending[id] = nil
    }
  }
}

/// State shared by all hops of one name. A program has few hop names, so the table stays small.
struct HopNames<Value> {
  private var values: [Int: Value] = [:]
  private let most = 4096
  private let initial: () -> Value

  init(_ initial: @escaping @autoclosure () -> Value) { self.initial = initial }

  /// The state of the hops of this name.
  subscript(name: String) -> Value {
    get { values[name.hashValue] ?? initial() }
    _modify {
      // A malformed log with many hop names must not use more memory.
      if values.count >= most { values.removeAll() }
      yield &values[name.hashValue, default: initial()]
    }
  }
}

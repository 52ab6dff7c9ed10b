internal import CRecorder
import Synchronization

/// The events of a stream between its senders and its loops, in a bounded buffer.
final class EventQueue<Event>: Sendable {
  struct Item: Sendable {
    let event: UncheckedHandover<Event>
    fileprivate let id: UInt64
    fileprivate let time: UInt64
  }

  /// The identifier of a waiting loop.
  typealias Waiting = UInt64

  private typealias Loop = (id: Waiting, continuation: UnsafeContinuation<Item?, Never>)

  private struct State {
    var kept = Kept<Item>()
    var loops: [Loop] = []
    var lastWaiting: Waiting = 0
    var dropped = 0
    var hasEnded = false
    var isCancelled = false
  }

  private enum Outcome {
    case kept
    case handed(Loop)
    /// The buffer was full: this event or the oldest one was dropped.
    case dropped(Item, wasTaken: Bool)
    case refused(Item)
  }

  private let label: HopLabel
  private let buffer: EventBuffer
  private let state = Mutex(State())

  init(_ label: HopLabel, keeping buffer: EventBuffer) {
    self.label = label
    self.buffer = buffer
  }

  // No loop remains, so the buffered events are dropped.
  deinit {
    state.withLock { state in
      while let item = state.kept.popFirst() { recordDrop(item) }
    }
  }

  var dropped: Int { state.withLock { $0.dropped } }

  /// Accepts an event that the function at `caller` sends. Returns false if the event was dropped.
  func take(_ event: UncheckedHandover<Event>, from caller: UInt) -> Bool {
    let item = arrival(of: event, from: caller)
    // Continuations and values are released outside of the lock, because releasing may send.
    switch state.withLock({ accept(item, &$0) }) {
    case .kept: return true
    case .handed(let loop):
      loop.continuation.resume(returning: item)
      return true
    case .dropped(let lost, let wasTaken):
      recordDrop(lost)
      return wasTaken
    case .refused(let item):
      recordDrop(item)
      return false
    }
  }

  private func accept(_ item: Item, _ state: inout State) -> Outcome {
    if state.hasEnded { return .refused(item) }
    if !state.loops.isEmpty { return .handed(state.loops.removeFirst()) }
    if state.kept.count < buffer.limit {
      state.kept.append(item)
      return .kept
    }
    state.dropped += 1
    guard case .newest = buffer, let oldest = state.kept.popFirst() else {
      return .dropped(item, wasTaken: false)
    }
    state.kept.append(item)
    return .dropped(oldest, wasTaken: true)
  }

  /// Accepts no further event; the buffered events are still delivered.
  func finish() {
    let loops = state.withLock { end(&$0) }
    for loop in loops { loop.continuation.resume(returning: nil) }
  }

  /// Accepts no further event, and drops the buffered ones.
  func cancel() {
    let (loops, kept) = state.withLock { state in
      state.isCancelled = true
      defer { state.kept = Kept() }
      return (end(&state), state.kept)
    }
    for loop in loops { loop.continuation.resume(returning: nil) }
    var rest = kept
    while let item = rest.popFirst() { recordDrop(item) }
  }

  /// Ends the queue, and returns the loops that wait.
  private func end(_ state: inout State) -> [Loop] {
    state.hasEnded = true
    defer { state.loops = [] }
    return state.loops
  }

  func newWaiting() -> Waiting {
    state.withLock { state in
      state.lastWaiting += 1
      return state.lastWaiting
    }
  }

  /// Resumes `continuation`, for which the current task waits, with the next event; with nil if the
  /// queue has ended or the task was cancelled.
  func wait(_ waiting: Waiting, _ continuation: UnsafeContinuation<Item?, Never>) {
    let answer: Item?? = state.withLock { state in
      // A task that is cancelled after this check calls `withdraw`.
      if Task.isCancelled { return .some(nil) }
      if let item = state.kept.popFirst() { return item }
      if state.hasEnded { return .some(nil) }
      state.loops.append((waiting, continuation))
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
  }

  /// Ends a wait; has no effect if the wait has ended.
  func withdraw(_ waiting: Waiting) {
    let loop = state.withLock { state in
      state.loops.firstIndex { $0.id == waiting }.map { state.loops.remove(at: $0) }
    }
    loop?.continuation.resume(returning: nil)
  }

  /// The event of an item that a loop received; nil if the stream was cancelled meanwhile.
  func open(_ item: Item?) -> UncheckedHandover<Event>? {
    guard let item else { return nil }
    if state.withLock({ $0.isCancelled }) {
      recordDrop(item)
      return nil
    }
    if item.id != 0 {
      AffinityRecording.recorder?.recordRun(of: label, id: item.id, since: item.time)
    }
    return item.event
  }

  private func arrival(of event: UncheckedHandover<Event>, from caller: UInt) -> Item {
    guard let recorder = AffinityRecording.recorder else {
      return Item(event: event, id: 0, time: 0)
    }
    let id = HopID.next()
    let arrival = recorder.recordArrival(at: label, id: id, from: caller, ms_queue_stamp_here())
    return Item(event: event, id: id, time: arrival.time)
  }

  private func recordDrop(_ item: Item) {
    if item.id != 0 { AffinityRecording.recorder?.recordDrop(of: label, id: item.id) }
  }
}

/// A FIFO queue whose `popFirst` does not move the remaining elements each time.
private struct Kept<Element> {
  private var elements: [Element?] = []
  private var first = 0

  var count: Int { elements.count - first }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    defer {
      elements[first] = nil
      first += 1
      if first * 2 >= elements.count {
        elements.removeFirst(first)
        first = 0
      }
    }
    return elements[first]
  }
}

extension Kept: Sendable where Element: Sendable {}

import IncidentModel

/// Reads Dispatch's queues, and the thread-local words that name the queues of a thread.
struct DispatchQueues {
  private let reader: WordReader
  /// The distance of a thread's words from its thread pointer; nil if none was found.
  private var offset: UInt64?

  private enum Offset {
    static let next: UInt64 = 16
    static let target: UInt64 = 24
    static let tail: UInt64 = 48
    static let state: UInt64 = 56
    static let label: UInt64 = 72
    static let head: UInt64 = 104
  }

  private static let ownerMask: UInt64 = 0x3fff_ffff
  /// Suspended, or not activated yet.
  private static let suspended: UInt64 = 0xff80_0000_0000_0000
  private static let mostQueues = 64
  private static let mostJobs = 100_000
  /// Static thread-local storage of real programs is a few hundred bytes to some kilobytes.
  private static let reach: UInt64 = 16_384
  /// The number of threads whose agreement excludes a wrong offset.
  private static let enough = 8
  private static let mostLearned = 256
  private static let library = "libdispatch"

  init(_ threads: [ScannedThread], _ reader: WordReader) {
    self.reader = reader
    // The search takes its time in a process of many threads, which must not stand still for nothing.
    if reader.regions.contains(where: { $0.path.contains(Self.library) }) {
      offset = learnedOffset(threads.prefix(Self.mostLearned))
    }
  }

  // MARK: A queue

  func target(of queue: UInt64) -> UInt64? { reader.word(at: queue &+ Offset.target) }

  func label(of queue: UInt64) -> String {
    reader.word(at: queue &+ Offset.label).flatMap { reader.text(at: $0) } ?? ""
  }

  /// The id of the thread that holds a queue, as the process itself numbers it; nil if no thread does. A concurrent queue
  /// has a holder during a barrier only.
  func owner(of queue: UInt64) -> Int? {
    guard let state = reader.word(at: queue &+ Offset.state) else { return nil }
    let owner = Int(state & Self.ownerMask)
    return owner == 0 ? nil : owner
  }

  /// True also if the memory of the queue is not readable.
  func isSuspended(_ queue: UInt64) -> Bool {
    reader.word(at: queue &+ Offset.state).map { $0 & Self.suspended != 0 } ?? true
  }

  /// The jobs that wait on a queue: the number and the address of the first one. None unless the list from the queue's head
  /// ends at its tail, which proves the layout.
  func jobs(on queue: UInt64) -> PictureQueue.Jobs? {
    guard let head = reader.word(at: queue &+ Offset.head), head != 0,
      let tail = reader.word(at: queue &+ Offset.tail)
    else { return nil }
    var (job, count) = (head, 1)
    while job != tail {
      guard job > 4096, count < Self.mostJobs, let next = reader.word(at: job &+ Offset.next)
      else { return nil }
      (job, count) = (next, count + 1)
    }
    return PictureQueue.Jobs(count: count, first: head)
  }

  // MARK: A thread

  /// The queues that a thread runs on, innermost first: the current one, its targets, and those from which it came there by
  /// synchronous calls.
  func queues(of thread: ScannedThread) -> [UInt64] {
    offset.flatMap { queues(of: thread, at: $0) } ?? []
  }

  /// Nil unless the words at `offset` are those of Dispatch: the thread's id, its queue and the newest frame.
  private func queues(of thread: ScannedThread, at offset: UInt64) -> [UInt64]? {
    let words = thread.threadPointer &+ offset
    guard reader.half(at: words) == UInt32(truncatingIfNeeded: thread.ownID),
      var queue = reader.word(at: words &+ 8), var frame = reader.word(at: words &+ 16)
    else { return nil }
    var found: [UInt64] = []
    while queue != 0, found.count < Self.mostQueues {
      guard let targets = targets(from: queue) else { return nil }
      for target in targets where !found.contains(target) { found.append(target) }
      // A frame holds the queue before it, and the older frame; it lies on the thread's stack.
      guard frame != 0 else { break }
      guard let stack = reader.region(at: thread.stackPointer)?.range, stack.contains(frame),
        frame >= thread.stackPointer, let below = reader.word(at: frame),
        let older = reader.word(at: frame &+ 8), older == 0 || older > frame
      else { return nil }
      (queue, frame) = (below, older)
    }
    return found
  }

  /// A queue and its targets; nil unless they end with one of Dispatch's own.
  private func targets(from queue: UInt64) -> [UInt64]? {
    var found: [UInt64] = []
    var next = queue
    while found.count < Self.mostQueues {
      guard next & 7 == 0, let target = target(of: next), target != next else { return nil }
      found.append(next)
      if target == 0 { return isDispatchOwn(next) ? found : nil }
      next = target
    }
    return nil
  }

  private func learnedOffset(_ threads: ArraySlice<ScannedThread>) -> UInt64? {
    var hits: [UInt64: Int] = [:]
    for thread in threads where thread.threadPointer & 7 == 0 && thread.threadPointer > Self.reach {
      for distance in stride(from: 8, to: Self.reach, by: 8) {
        let offset = 0 &- distance
        if let queues = queues(of: thread, at: offset), !queues.isEmpty {
          hits[offset, default: 0] += 1
        }
      }
      if hits.values.contains(Self.enough) { break }
    }
    return hits.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  /// Whether an address is in Dispatch's own data. Data that begins as zero is mapped behind the file.
  func isDispatchOwn(_ address: UInt64) -> Bool {
    guard let region = reader.region(at: address) else { return false }
    if !region.path.isEmpty { return region.path.contains(Self.library) }
    return reader.region(at: region.range.lowerBound &- 1)?.path.contains(Self.library) == true
  }
}

import CLogFormat
import IncidentModel

/// Follows a log while its process writes: each poll reads only the records appended since the last
/// poll. Reading does not affect the process.
package final class LogTail {
  /// The state of the log at one moment.
  package struct Status: Sendable {
    package var ending: RunEnding
    /// The facts about the run in the header, besides the ending.
    package var signs: RunSigns
    package var losses: Incident.Losses
    /// The monotonic time since which the main queue has not responded; nil if it responds.
    package var hangingSince: UInt64?
    /// The part of the crash that is recorded so far.
    package var crash: Crash?

    /// The outcome of the run, according to its header.
    package var manner: RunOutcome { RunOutcome(ending, RunOutcome.Facts(signs)) }
  }

  /// The result of a poll.
  package struct PollResult {
    fileprivate let events: [PendingEvent]
    fileprivate let queues: QueueTable

    package var count: Int { events.count }

    /// Calls `body` with the events in the order of time. An event is valid only during the call.
    package func forEach(_ body: (Event) -> Void) {
      let batch = EventBatch(queues: queues)
      for fresh in events {
        if batch.isFull { Self.empty(batch, body) }
        fresh.chunk.add(fresh.place, fresh.time, to: batch)
      }
      Self.empty(batch, body)
    }

    private static func empty(_ batch: EventBatch, _ body: (Event) -> Void) {
      for index in 0..<batch.count { body(batch[index]) }
      batch.removeAll()
    }
  }

  /// A crumb that is not delivered yet, and its chunk.
  fileprivate struct PendingEvent {
    let place: CrumbPlace
    let time: (monotonic: UInt64, wall: UInt64)
    let chunk: TailChunk

    var ticks: UInt64 { place.ticks }
  }

  /// A region of the log that contains one chunk at a time.
  private struct Slot {
    var start: UInt64
    var size: Int
    /// The chunk that was read last; nil if its buffer was freed to save memory.
    var chunk: TailChunk?
    var generation = MS_NO_GENERATION
    var scanned = 0
    var grewAt = 0
  }

  package let process: Incident.Process?
  private let reader: LogReader
  private var slots: [Slot] = []
  private var clock: LogClock
  private var polls = 0
  private var buffered = 0
  /// Events that are newer than all events of the poll's first scan. Chunks that were scanned
  /// before may contain earlier events, so these events wait for the next poll.
  private var held: [PendingEvent] = []
  private var queues = QueueTable()
  private var crash = CrashDecoder()

  /// The recent threads, by ordinal.
  package private(set) var threads: [Int: IncidentThread] = [:]
  package private(set) var modules: [SeenModule] = []
  package private(set) var status: Status

  private static let mostBuffered = 64 << 20
  private static let mostThreads = 1 << 13
  private static let mostQueues = 1 << 16

  /// Opens the log at `path`.
  package convenience init(path: String) throws(LogReadingError) {
    try self.init(LogReader(path: path))
  }

  /// Follows the log of `reader` from its beginning.
  package init(_ reader: LogReader) throws(LogReadingError) {
    self.reader = reader
    let progress = try reader.readProgress()
    clock = reader.makeClock(progress, [])
    process = reader.process(clock)
    status = Status(
      ending: try reader.judge(progress).ending, signs: try reader.signs(clock),
      losses: reader.losses(progress))
    slots = reader.slots().map { Slot(start: $0.start, size: $0.size) }
  }

  /// True if the log's path refers to another file now.
  package var isReplaced: Bool { !reader.bytes.isAtItsPath }

  /// Returns the records that were appended since the last poll, in the order of time.
  ///
  /// - Parameter betweenLooks: Called between the two scans of the log.
  package func poll(betweenLooks: () -> Void = {}) throws(LogReadingError) -> PollResult {
    polls += 1
    let progress = try reader.readProgress()
    let hangingTicks = try reader.lastWords()?.hanging_since ?? 0
    clock = reader.makeClock(progress, [])
    // The ending is read before the crumbs: if the process has ended by then, its crumbs are
    // complete.
    let judged = try reader.judge(progress)
    var fresh = held
    held = []
    try look(into: &fresh)
    let newest = fresh.lazy.map(\.ticks).max() ?? 0
    betweenLooks()
    // Without events in the first scan, the second scan's events would all be held back.
    if !fresh.isEmpty { try look(into: &fresh) }
    status = Status(
      ending: judged.ending, signs: try reader.signs(clock), losses: reader.losses(progress),
      hangingSince: hangingTicks == 0 ? nil : clock.time(at: hangingTicks).monotonic,
      crash: crash.last(judged.crash))
    fresh.sort { $0.ticks < $1.ticks }
    if status.ending == .running {
      let later = fresh.firstIndex { $0.ticks > newest } ?? fresh.count
      held = Array(fresh[later...])
      fresh.removeSubrange(later...)
    }
    let news = PollResult(events: fresh, queues: queues)
    giveUpBuffers()
    return news
  }

  private func look(into fresh: inout [PendingEvent]) throws(LogReadingError) {
    for index in slots.indices { try read(&slots[index], into: &fresh) }
  }

  private func read(_ slot: inout Slot, into fresh: inout [PendingEvent]) throws(LogReadingError) {
    for _ in 0..<4 {
      // model: read-header
      guard let header = try reader.wholeHeader(at: slot.start) else { return }
      if header.generation != slot.generation { begin(header, in: &slot) }
      if slot.chunk == nil, try !hasGrown(slot, header) { return }
      let chunk = slot.chunk ?? refill(&slot, header)
      let from = slot.scanned
      let isWhole = try chunk.read(reader) { record, chunk in
        self.take(record, of: chunk, isNew: record.offset >= from, into: &fresh)
      }
      if chunk.scanned > slot.scanned { slot.grewAt = self.polls }
      slot.scanned = max(slot.scanned, chunk.scanned)
      if isWhole { return }
    }
  }

  private func begin(_ header: ms_chunk_header, in slot: inout Slot) {  // model: tail-begins
    if let chunk = slot.chunk { buffered -= chunk.size }
    slot.chunk = nil
    slot.generation = header.generation
    slot.scanned = MemoryLayout<ms_chunk_header>.size
  }

  /// Creates the buffer of a chunk and reads the chunk from its start, because crumbs refer to its
  /// queues and stacks.
  private func refill(_ slot: inout Slot, _ header: ms_chunk_header) -> TailChunk {
    let chunk = TailChunk(
      header, start: slot.start, size: min(slot.size, Int(header.size)), queues)
    slot.chunk = chunk
    buffered += chunk.size
    return chunk
  }

  private func hasGrown(_ slot: Slot, _ header: ms_chunk_header) throws(LogReadingError) -> Bool {
    guard slot.scanned + MemoryLayout<ms_record_head>.size <= slot.size,
      let head = try reader.bytes.load(
        ms_record_head.self, at: slot.start + UInt64(slot.scanned))
    else { return false }
    return head.tag == ms_chunk_tag(header.salt, header.generation)
  }

  private func take(
    _ record: WholeRecord, of chunk: TailChunk, isNew: Bool, into fresh: inout [PendingEvent]
  ) {
    let decoder = chunk.decoder(clock)
    switch record.type {
    case MS_RECORD_CRUMB.rawValue, MS_RECORD_BRIEF.rawValue:
      // An earlier brief crumb may have the context of a new one.
      if let place = chunk.place(of: record), isNew {
        fresh.append(PendingEvent(place: place, time: clock.time(at: place.ticks), chunk: chunk))
      }
    case MS_RECORD_TEMPLATE.rawValue: _ = chunk.crumbs.addTemplate(record)
    case MS_RECORD_QUEUE.rawValue: _ = chunk.crumbs.addQueue(record, decoder)
    case MS_RECORD_STACK.rawValue: _ = chunk.crumbs.addStack(record, decoder)
    case MS_RECORD_THREAD.rawValue where isNew:
      if let thread = decoder.thread(record) { learn(thread) }
    case MS_RECORD_MODULE.rawValue where isNew:
      if let module = decoder.module(record) {
        modules.append(reader.withKeptCopy(module))
      }
    case let type where isNew && CrashDecoder.decodes(type):
      _ = crash.add(decoder.whole(record), type: type, clock: clock)
    default: break
    }
  }

  private func learn(_ thread: IncidentThread) {
    threads[thread.ordinal] = thread
    guard threads.count > Self.mostThreads else { return }
    let oldest = threads.keys.sorted().prefix(Self.mostThreads / 2)
    for ordinal in oldest { threads[ordinal] = nil }
  }

  /// Frees buffers, so that memory does not grow with the log or with the number of queues.
  private func giveUpBuffers() {
    if queues.count > Self.mostQueues, held.isEmpty {
      queues = QueueTable()
      for index in slots.indices { slots[index].chunk = nil }
      buffered = 0
    }
    guard buffered > Self.mostBuffered else { return }
    for index in slots.indices.sorted(by: { slots[$0].grewAt < slots[$1].grewAt }) {
      guard buffered > Self.mostBuffered / 2 else { return }
      guard let chunk = slots[index].chunk else { continue }
      buffered -= chunk.size
      slots[index].chunk = nil
    }
  }
}

private let MS_NO_GENERATION = UInt64.max

extension LogReader {
  /// The offsets and sizes of the slots.
  fileprivate func slots() -> [(start: UInt64, size: Int)] {
    guard let identity else { return [] }
    var slots: [(start: UInt64, size: Int)] = []
    for place in places(identity)
    where (UInt32(MS_CHUNK_SMALLEST)...UInt32(MS_CHUNK_LARGEST)).contains(place.chunk_size) {
      for index in 0..<UInt64(place.chunk_count) {
        let (start, isBeyond) = place.offset.addingReportingOverflow(
          index * UInt64(place.chunk_size))
        // A recorder writes fewer chunks; a header with more is damaged.
        if isBeyond || start >= bytes.size || slots.count >= 1 << 16 { break }
        slots.append((start, Int(min(UInt64(place.chunk_size), bytes.size - start))))
      }
    }
    return slots
  }
}

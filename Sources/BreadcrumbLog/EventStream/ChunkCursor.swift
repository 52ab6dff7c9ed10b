import CBreadcrumbLog
import IncidentModel

/// The events of one chunk, to be taken one after the other in the order of time.
final class ChunkCursor {
  /// Where a crumb stands, when it was left, and what it refers to.
  private struct Row {
    var ticks: UInt64
    var offset: UInt32
    var stack: UInt32
    var queue: UInt32
  }

  private let chunk: LoadedChunk
  private let pace: LogClock.Pace
  private var rows: [Row] = []
  private var at = 0

  private(set) var threads: [IncidentThread] = []
  private(set) var unread: [Unread]

  init(_ chunk: LoadedChunk, clock: LogClock, queues: QueueTable) {
    self.chunk = chunk
    pace = clock.pace(at: chunk.header.begun)
    unread = chunk.scanned.unread
    index(RecordDecoder(bytes: chunk.bytes, clock: clock), queues)
    chunk.forgetRecords()
  }

  /// When the next event was left; nil at the end.
  var ticks: UInt64? { at < rows.count ? rows[at].ticks : nil }

  /// Moves events into `batch` while they are no later than `limit` and there is room.
  func take(upTo limit: UInt64, into batch: EventBatch) {
    let base = chunk.bytes.baseAddress!
    at = rows.withUnsafeBufferPointer { [at] rows in
      var next = at
      while next < rows.count, rows[next].ticks <= limit, !batch.isFull {
        batch.append(event(rows[next], base))
        next += 1
      }
      return next
    }
  }

  @inline(__always)
  private func event(_ row: Row, _ base: UnsafeRawPointer) -> EventRow {
    let crumb = (base + Int(row.offset)).loadUnaligned(as: ms_crumb_record.self)
    let hasHop = UInt32(crumb.flags) & MS_CRUMB_HAS_HOP.rawValue != 0
    let text = base + Int(row.offset) + MemoryLayout<ms_crumb_record>.size
    var event = EventRow()
    (event.monotonic, event.wall) = pace.time(at: row.ticks)
    event.hop = hasHop ? text.loadUnaligned(as: UInt64.self) : 0
    event.text = hasHop ? text + 8 : text
    event.thread = crumb.thread
    event.number = crumb.head.number
    event.queue = row.queue
    event.messageSize = crumb.message_size
    event.dataSize = crumb.data_size
    event.categorySize = crumb.category_size
    event.kind = CrumbKind(rawValue: crumb.head.kind) ?? .note
    event.level = CrumbLevel(rawValue: crumb.level) ?? .info
    event.marks = EventMarks(rawValue: UInt16(crumb.flags))
    if row.stack > 0 { add(stack: base + Int(row.stack), to: &event) }
    return event
  }

  @inline(__always)
  private func add(stack: UnsafeRawPointer, to event: inout EventRow) {
    let fixed = RecordDecoder.stackHead(at: stack)
    event.frames = stack + RecordDecoder.stackHeadSize
    event.frameCount = fixed.count
    event.stackEnd = Stack.End(rawValue: fixed.end) ?? .noRule
    if fixed.isFirstInstruction { event.marks.insert(.firstIsInstruction) }
  }

  // MARK: Indexing

  private func index(_ decoder: RecordDecoder, _ queues: QueueTable) {
    var places: [UInt32: UInt32] = [:]
    var stacks: [UInt32] = []
    rows.reserveCapacity(chunk.scanned.records.count)
    for record in chunk.scanned.records {
      switch record.type {
      case MS_RECORD_CRUMB.rawValue:
        if let row = row(record, places, stacks) { rows.append(row) } else { refuse(record) }
      case MS_RECORD_QUEUE.rawValue where decoder.queue(record) != nil:
        places[UInt32(record.offset)] = queues.number(of: decoder.queue(record)!)
      case MS_RECORD_STACK.rawValue where decoder.isStack(record):
        stacks.append(UInt32(record.offset))
      case MS_RECORD_THREAD.rawValue where decoder.thread(record) != nil:
        threads.append(decoder.thread(record)!)
      default: refuse(record)
      }
    }
    order()
  }

  /// A signal handler's crumb can stand before an earlier one that it interrupted.
  private func order() {
    let isOrdered = zip(rows, rows.dropFirst()).allSatisfy { $0.ticks <= $1.ticks }
    if !isOrdered { rows.sort { ($0.ticks, $0.offset) < ($1.ticks, $1.offset) } }
  }

  private func row(
    _ record: WholeRecord, _ queues: [UInt32: UInt32], _ stacks: [UInt32]
  ) -> Row? {
    let fixedSize = MemoryLayout<ms_crumb_record>.size
    guard record.size >= fixedSize else { return nil }
    let crumb = chunk.bytes.loadUnaligned(
      fromByteOffset: record.offset, as: ms_crumb_record.self)
    let hop = UInt32(crumb.flags) & MS_CRUMB_HAS_HOP.rawValue != 0 ? 8 : 0
    let size =
      fixedSize + hop + padded(Int(crumb.category_size)) + padded(Int(crumb.message_size))
      + Int(crumb.data_size)
    guard size <= record.size, crumb.head.kind <= CrumbKind.error.rawValue,
      crumb.level <= CrumbLevel.fatal.rawValue, RecordDecoder.isWithinLimits(crumb)
    else { return nil }
    let stack = UInt32(crumb.stack) * 8
    return Row(
      ticks: crumb.ticks, offset: UInt32(record.offset),
      stack: stack > 0 && contains(stacks, stack) ? stack : 0,
      queue: crumb.queue == 0 ? 0 : queues[UInt32(crumb.queue) * 8] ?? 0)
  }

  private func padded(_ size: Int) -> Int { (size + 7) & ~7 }

  /// Whether the ascending `places` have `place`; it is nearly always the last of them.
  private func contains(_ places: [UInt32], _ place: UInt32) -> Bool {
    if places.last == place { return true }
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low] == place
  }

  private func refuse(_ record: WholeRecord) {
    let reason = Unread.Reason.other("a record of type \(record.type) that makes no sense")
    unread.append(
      Unread(
        offset: chunk.start + UInt64(record.offset), length: UInt64(record.size), reason: reason))
  }
}

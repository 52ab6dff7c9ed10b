import CLogFormat
import IncidentModel

/// The offset of a crumb in its chunk, its time, and its references.
struct CrumbPlace {
  var ticks: UInt64
  var offset: UInt32
  /// The offset of the crumb's stack; 0 for none.
  var stack: UInt32
  /// The number of the crumb's queue in the input's table; 0 for none.
  var queue: UInt32
}

/// The queues and stacks of one chunk. A crumb refers only to queues and stacks of its own chunk.
struct CrumbIndex {
  private let table: QueueTable
  private var queues: [UInt32: UInt32] = [:]
  /// The offsets of the chunk's stacks, ascending.
  private var stacks: [UInt32] = []

  /// - Parameter table: The table to which the queues are added.
  init(_ table: QueueTable) { self.table = table }

  /// Adds a queue. Returns false if the record is invalid.
  mutating func addQueue(_ record: WholeRecord, _ decoder: RecordDecoder) -> Bool {
    guard let queue = decoder.queue(record) else { return false }
    queues[UInt32(record.offset)] = table.number(of: queue)
    return true
  }

  /// Adds a stack. Returns false if the record is invalid.
  mutating func addStack(_ record: WholeRecord, _ decoder: RecordDecoder) -> Bool {
    guard decoder.isStack(record) else { return false }
    stacks.append(UInt32(record.offset))
    return true
  }

  /// The crumb of a record; nil if the record is invalid or a text exceeds the format's limit. The
  /// limits bound the time and memory for an untrusted log.
  func place(of record: WholeRecord, in chunk: UnsafeRawBufferPointer) -> CrumbPlace? {
    let fixedSize = MemoryLayout<ms_crumb_record>.size
    guard record.size >= fixedSize else { return nil }
    let crumb = chunk.loadUnaligned(fromByteOffset: record.offset, as: ms_crumb_record.self)
    let hop = UInt32(crumb.flags) & MS_CRUMB_HAS_HOP.rawValue != 0 ? 8 : 0
    let size =
      fixedSize + hop + padded(Int(crumb.category_size)) + padded(Int(crumb.message_size))
      + Int(crumb.data_size)
    guard size <= record.size, crumb.head.kind <= CrumbKind.error.rawValue,
      crumb.level <= CrumbLevel.fatal.rawValue, Int(crumb.category_size) <= MS_CATEGORY_LIMIT,
      Int(crumb.message_size) <= MS_MESSAGE_LIMIT, Int(crumb.data_size) <= MS_DATA_LIMIT
    else { return nil }
    let stack = UInt32(crumb.stack) * 8
    return CrumbPlace(
      ticks: crumb.ticks, offset: UInt32(record.offset),
      stack: stack > 0 && hasStack(at: stack) ? stack : 0,
      queue: crumb.queue == 0 ? 0 : queues[UInt32(crumb.queue) * 8] ?? 0)
  }

  private func padded(_ size: Int) -> Int { (size + 7) & ~7 }

  /// True if a stack record is at `place`. Most crumbs refer to the last stack.
  private func hasStack(at place: UInt32) -> Bool {
    if stacks.last == place { return true }
    var low = 0
    var high = stacks.count
    while low < high {
      let middle = (low + high) / 2
      if stacks[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < stacks.count && stacks[low] == place
  }

  /// Decodes the crumb at `place` of the chunk that starts at `base`. The event points into the
  /// chunk.
  @inline(__always)
  static func event(
    at place: CrumbPlace, in base: UnsafeRawPointer, _ time: (monotonic: UInt64, wall: UInt64)
  ) -> EventRow {
    let crumb = (base + Int(place.offset)).loadUnaligned(as: ms_crumb_record.self)
    let hasHop = UInt32(crumb.flags) & MS_CRUMB_HAS_HOP.rawValue != 0
    let text = base + Int(place.offset) + MemoryLayout<ms_crumb_record>.size
    var event = EventRow()
    (event.monotonic, event.wall) = time
    event.hop = hasHop ? text.loadUnaligned(as: UInt64.self) : 0
    event.text = hasHop ? text + 8 : text
    event.thread = crumb.thread
    event.number = crumb.head.number
    event.queue = place.queue
    event.messageSize = crumb.message_size
    event.dataSize = crumb.data_size
    event.categorySize = crumb.category_size
    event.kind = CrumbKind(rawValue: crumb.head.kind) ?? .note
    event.level = CrumbLevel(rawValue: crumb.level) ?? .info
    event.marks = EventMarks(rawValue: UInt16(crumb.flags))
    if place.stack > 0 {
      let stack = base + Int(place.stack)
      let head = StackHead(at: stack)
      event.frames = stack + StackHead.size
      event.frameCount = head.count
      event.stackEnd = Stack.End(rawValue: head.end) ?? .noRule
      if head.isFirstInstruction { event.marks.insert(.firstIsInstruction) }
    }
    return event
  }
}

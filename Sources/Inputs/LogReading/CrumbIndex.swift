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
  /// The other records of a brief crumb; nil for a crumb with its own texts.
  var brief: BriefPlace?
}

/// The offsets of the records to which a brief crumb refers; 0 for a record that is damaged or not needed.
struct BriefPlace {
  var texts: UInt32
  /// The brief crumb with the context's values.
  var context: UInt32
  var contextTexts: UInt32
}

/// The records of one chunk to which its crumbs refer.
struct CrumbIndex {
  private let table: QueueTable
  private var queues: [UInt32: UInt32] = [:]
  /// The offsets of the chunk's stacks, ascending.
  private var stacks: [UInt32] = []
  /// The offsets of the chunk's templates, ascending.
  private var templates: [UInt32] = []
  /// The templates of the brief crumbs that have the values of a context, by the crumbs' offsets.
  private var contexts: [UInt32: UInt32] = [:]

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

  /// Adds a template. Returns false if the record is invalid.
  mutating func addTemplate(_ record: WholeRecord) -> Bool {
    guard record.size >= MemoryLayout<ms_template_record>.size else { return false }
    templates.append(UInt32(record.offset))
    return true
  }

  /// The brief crumb of a record; nil if the record is invalid.
  mutating func place(ofBrief record: WholeRecord, in chunk: UnsafeRawBufferPointer) -> CrumbPlace?
  {
    guard record.size >= MemoryLayout<ms_brief_record>.size else { return nil }
    let crumb = chunk.loadUnaligned(fromByteOffset: record.offset, as: ms_brief_record.self)
    guard crumb.head.kind <= CrumbKind.error.rawValue else { return nil }
    let texts = known(UInt32(crumb.texts) * 8, in: templates)
    let context = UInt32(crumb.context) * 8
    let contextTexts = crumb.context == 0 ? nil : contexts[context]
    let offset = UInt32(record.offset)
    if texts > 0, Self.hasContext(templateAt: texts, in: chunk) { contexts[offset] = texts }
    return CrumbPlace(
      ticks: crumb.ticks, offset: offset, stack: known(UInt32(crumb.stack) * 8, in: stacks),
      queue: crumb.queue == 0 ? 0 : queues[UInt32(crumb.queue) * 8] ?? 0,
      brief: BriefPlace(
        texts: texts, context: contextTexts == nil ? 0 : context, contextTexts: contextTexts ?? 0))
  }

  private static func hasContext(templateAt offset: UInt32, in chunk: UnsafeRawBufferPointer)
    -> Bool
  {
    chunk.loadUnaligned(fromByteOffset: Int(offset), as: ms_template_record.self).context_count > 0
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
    return CrumbPlace(
      ticks: crumb.ticks, offset: UInt32(record.offset),
      stack: known(UInt32(crumb.stack) * 8, in: stacks),
      queue: crumb.queue == 0 ? 0 : queues[UInt32(crumb.queue) * 8] ?? 0)
  }

  private func padded(_ size: Int) -> Int { (size + 7) & ~7 }

  /// Returns `place` if a record of this list is there, else 0. Most crumbs refer to the last
  /// record.
  private func known(_ place: UInt32, in list: [UInt32]) -> UInt32 {
    if place == 0 || list.last == place { return place }
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < list.count && list[low] == place ? place : 0
  }

  /// Adds the crumb at `place` of the chunk that starts at `base` to a batch. The event points into
  /// the chunk, or into the memory of the batch.
  @inline(__always)
  static func add(
    _ place: CrumbPlace, in base: UnsafeRawPointer, _ time: (monotonic: UInt64, wall: UInt64),
    to batch: EventBatch
  ) {
    let record =
      place.brief.map { expanded($0, at: place.offset, in: base, batch) }
      ?? base + Int(place.offset)
    batch.append(event(at: place, record, in: base, time))
  }

  /// Returns a brief crumb as a crumb with its own texts.
  private static func expanded(
    _ brief: BriefPlace, at offset: UInt32, in base: UnsafeRawPointer, _ batch: EventBatch
  ) -> UnsafeRawPointer {
    let chunk = base.assumingMemoryBound(to: UInt8.self)
    func record(_ offset: UInt32) -> UnsafePointer<UInt8>? {
      offset == 0 ? nil : chunk + Int(offset)
    }
    var parts = ms_brief_parts(
      crumb: chunk + Int(offset), texts: record(brief.texts), context: record(brief.context),
      context_texts: record(brief.contextTexts))
    return batch.bytes(most: Int(MS_EXPANDED_LIMIT)) {
      Int(ms_brief_expand(&parts, $0.assumingMemoryBound(to: UInt8.self)))
    }
  }

  /// Decodes a crumb with its own texts.
  @inline(__always)
  private static func event(
    at place: CrumbPlace, _ record: UnsafeRawPointer, in base: UnsafeRawPointer,
    _ time: (monotonic: UInt64, wall: UInt64)
  ) -> EventRow {
    let crumb = record.loadUnaligned(as: ms_crumb_record.self)
    let hasHop = UInt32(crumb.flags) & MS_CRUMB_HAS_HOP.rawValue != 0
    let text = record + MemoryLayout<ms_crumb_record>.size
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

import CLogFormat

/// Makes up a log that no recorder wrote: every sum right, every claim whatever one likes.
package struct LogForge {
  private var bytes = [UInt8](repeating: 0, count: Int(MS_LOG_HEADER_SIZE))
  private let salt: UInt64 = 0x1234_5678_9abc_def1
  private var generation: UInt64 = 0
  /// Makes records in the order of time.
  package var ticks: UInt64 = 1 << 40
  private let size: Int

  /// - Parameter size: about how many bytes it is to have.
  package init(size: Int) { self.size = size }

  /// What its header says of a fault that was not survived, as `ms_open_fault_word` has it.
  package var openFault: UInt64 = 0

  package var isFull: Bool { bytes.count >= size }

  /// Appends a chunk that `fill` puts records in.
  package mutating func chunk(
    _ pool: ms_pool = MS_POOL_CHATTER, size: Int = 1 << 16, begun: UInt64? = nil,
    _ fill: (inout ChunkForge) -> Void
  ) {
    generation += 1
    var forge = ChunkForge(size: size, salt: salt, generation: generation, ticks: ticks)
    fill(&forge)
    ticks = forge.ticks
    var header = ms_chunk_header()
    header.magic = MS_CHUNK_MAGIC
    header.salt = salt
    header.generation = generation
    header.pool = pool.rawValue
    header.index = UInt32(generation)
    header.size = UInt32(size)
    header.begun = begun ?? forge.begun
    header.sum = ms_chunk_header_sum(&header, generation)
    forge.bytes.set(header, at: 0)
    bytes += forge.bytes
  }

  /// The log.
  package consuming func finish() -> [UInt8] {
    var identity = ms_log_identity()
    identity.magic = MS_LOG_MAGIC
    identity.version = UInt32(MS_LOG_VERSION)
    identity.header_size = UInt32(MS_LOG_HEADER_SIZE)
    identity.salt = salt
    identity.capacity = UInt64(bytes.count)
    identity.clock = MS_CLOCK_MONOTONIC.rawValue
    identity.process = 1
    identity.opened = ms_anchor(ticks: 1, monotonic_ns: 1, wall_ns: 1 << 60, sum: 0)
    identity.opened.sum = ms_anchor_sum(&identity.opened, salt)
    identity.before_open = identity.opened
    identity.sum = ms_identity_sum(&identity)
    bytes.set(identity, at: 0)
    var words = ms_last_words()
    words.faults.0 = ms_open_fault(ticks: ticks, crash: openFault)
    bytes.set(words, at: Int(MS_LAST_WORDS_OFFSET))
    return bytes
  }
}

/// Makes up the records of a chunk.
package struct ChunkForge {
  var bytes: [UInt8]
  var ticks: UInt64
  let begun: UInt64
  private let salt: UInt64
  private let generation: UInt64
  private var used = MemoryLayout<ms_chunk_header>.size
  private var number: UInt32 = 0

  init(size: Int, salt: UInt64, generation: UInt64, ticks: UInt64) {
    bytes = [UInt8](repeating: 0, count: size)
    self.salt = salt
    self.generation = generation
    self.ticks = ticks
    begun = ticks
  }

  package var tag: UInt32 { ms_chunk_tag(salt, generation) }

  /// How many bytes there still is room for.
  package var room: Int { bytes.count - used }

  /// Appends a record; where it stands in the chunk, or nil if there is no room.
  @discardableResult
  package mutating func record(
    _ type: UInt32, kind: ms_kind = MS_KIND_NOTE, number: UInt32 = 0, _ payload: [UInt8]
  ) -> Int? {
    let size = 16 + (payload.count + 7) / 8 * 8
    guard size <= room, size / 8 <= Int(UInt16.max) else { return nil }
    let place = used
    var head = ms_record_head()
    head.tag = tag
    head.words = UInt16(size / 8)
    head.type = UInt8(type)
    head.kind = UInt8(kind.rawValue)
    head.number = number
    bytes.set(head, at: place)
    bytes.replaceSubrange(place + 16..<place + 16 + payload.count, with: payload)
    let seed = ms_record_seed(salt, generation, UInt32(place))
    bytes.withUnsafeMutableBytes { bytes in
      let head = (bytes.baseAddress! + place).assumingMemoryBound(to: ms_record_head.self)
      head.pointee.sum = ms_record_sum(head, UInt32(head.pointee.words), seed)
    }
    used += size
    return place
  }

  /// Damages the record that was appended last, but for its tag.
  package mutating func spoilLast() { bytes[used - 4] ^= 0xff }

  /// Fills up with words that no record is made of.
  package mutating func fill(with word: UInt64) {
    while room >= 8 {
      bytes.set(word, at: used)
      used += 8
    }
  }

  @discardableResult
  package mutating func thread(_ ordinal: UInt32) -> Int? {
    record(
      MS_RECORD_THREAD.rawValue, le(ordinal) + le(ordinal) + Array("thread name xxxx".utf8))
  }

  package mutating func queue(_ serial: UInt64, _ label: String) -> Int? {
    record(
      MS_RECORD_QUEUE.rawValue,
      le(serial) + le(UInt32(label.utf8.count)) + le(UInt32(0)) + Array(label.utf8))
  }

  package mutating func stack(_ frames: [UInt64]) -> Int? {
    record(
      MS_RECORD_STACK.rawValue, le(UInt16(frames.count)) + [0, 0, 0, 0, 0, 0] + frames.flatMap(le))
  }

  package mutating func module(_ text: Range<UInt64>, _ path: String) {
    record(
      MS_RECORD_MODULE.rawValue,
      le(text.lowerBound) + le(text.upperBound) + le(UInt64(0)) + le(ticks) + le(UInt16(0))
        + le(UInt16(path.utf8.count)) + le(UInt32(0)) + Array(path.utf8))
  }

  /// Appends a crumb; false if there is no room.
  @discardableResult
  package mutating func crumb(
    _ kind: ms_kind, _ message: String, _ data: [(String, ForgedValue)] = [], category: String = "",
    thread: UInt32 = 1, queue: Int = 0, stack: Int = 0, hop: UInt64? = nil, isOnMain: Bool = false
  ) -> Bool {
    ticks += 1000
    number += 1
    let packed = data.flatMap { $0.1.packed(under: $0.0) }
    let flags =
      (hop == nil ? 0 : MS_CRUMB_HAS_HOP.rawValue)
      | (isOnMain ? MS_CRUMB_ON_MAIN.rawValue : 0)
    var payload = le(ticks) + le(thread) + le(UInt16(queue / 8)) + le(UInt16(stack / 8))
    payload += le(UInt16(message.utf8.count)) + le(UInt16(packed.count))
    payload += [UInt8(category.utf8.count), UInt8(truncatingIfNeeded: data.count), 1, UInt8(flags)]
    if let hop { payload += le(hop) }
    payload += padded(Array(category.utf8)) + padded(Array(message.utf8)) + packed
    return record(MS_RECORD_CRUMB.rawValue, kind: kind, number: number, payload) != nil
  }
}

/// A value of a crumb's data.
package enum ForgedValue {
  case text(String), integer(Int64), boolean(Bool)

  func packed(under key: String) -> [UInt8] {
    let (type, value): (UInt32, [UInt8]) =
      switch self {
      case .text(let text): (MS_DATA_STRING.rawValue, Array(text.utf8))
      case .integer(let number): (MS_DATA_INTEGER.rawValue, le(number))
      case .boolean(let truth): (MS_DATA_BOOLEAN.rawValue, [truth ? 1 : 0])
      }
    return [UInt8(type), UInt8(key.utf8.count)] + le(UInt16(value.count)) + key.utf8 + value
  }
}

/// A number's bytes, the lowest first.
func le<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

private func padded(_ bytes: [UInt8]) -> [UInt8] {
  bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
}

import CBreadcrumbLog
import IncidentModel

/// Decodes the whole records of one chunk, whose crumbs refer to nothing outside it.
struct RecordDecoder {
  let bytes: UnsafeRawBufferPointer
  let clock: LogClock

  func thread(_ record: WholeRecord) -> IncidentThread? {
    guard let fixed = load(ms_thread_record.self, record) else { return nil }
    let name = withUnsafeBytes(of: fixed.name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return IncidentThread(
      ordinal: Int(fixed.ordinal), kernelID: Int(fixed.kernel_id), name: name)
  }

  func queue(_ record: WholeRecord) -> Queue? {
    guard let fixed = load(ms_queue_record.self, record), Int(fixed.label_size) <= MS_LABEL_LIMIT
    else { return nil }
    let label = text(
      record, after: MemoryLayout<ms_queue_record>.size, count: Int(fixed.label_size))
    return label.map { Queue(serial: fixed.serial, label: $0) }
  }

  func stack(_ record: WholeRecord) -> Stack? {
    guard isStack(record), let base = bytes.baseAddress else { return nil }
    let fixed = Self.stackHead(at: base + record.offset)
    var frames: [FrameAddress] = []
    frames.reserveCapacity(Int(fixed.count))
    for index in 0..<Int(fixed.count) {
      let address = bytes.loadUnaligned(
        fromByteOffset: record.offset + Self.stackHeadSize + index * 8, as: UInt64.self)
      let isInstruction = index == 0 && fixed.isFirstInstruction
      frames.append(isInstruction ? .instruction(address) : .returnAddress(address))
    }
    return Stack(frames: frames, end: Stack.End(rawValue: fixed.end) ?? .noRule)
  }

  /// The size of what stands before a stack's frames.
  static let stackHeadSize = 24

  /// Whether the record has room for all the frames it claims.
  func isStack(_ record: WholeRecord) -> Bool {
    guard record.size >= Self.stackHeadSize, let base = bytes.baseAddress else { return false }
    let count = Int(Self.stackHead(at: base + record.offset).count)
    return count <= MS_FRAME_LIMIT
      && Self.stackHeadSize + count * 8 <= record.size
  }

  // A struct with a flexible array is not imported whole: its fixed part is read by hand.
  @inline(__always)
  static func stackHead(
    at record: UnsafeRawPointer
  ) -> (count: UInt16, end: UInt8, isFirstInstruction: Bool) {
    let fixed = record + MemoryLayout<ms_record_head>.size
    return (
      fixed.loadUnaligned(as: UInt16.self), fixed.load(fromByteOffset: 2, as: UInt8.self),
      fixed.load(fromByteOffset: 3, as: UInt8.self) != 0
    )
  }

  func module(_ record: WholeRecord) -> SeenModule? {
    guard let fixed = load(ms_module_record.self, record),
      fixed.text_start <= fixed.text_end, Int(fixed.path_size) <= MS_PATH_LIMIT,
      Int(fixed.build_id_size) <= MS_BUILD_ID_LIMIT
    else { return nil }
    let fixedSize = MemoryLayout<ms_module_record>.size
    let buildID = slice(record, after: fixedSize, count: Int(fixed.build_id_size))
    let path = text(
      record, after: fixedSize + Int(fixed.build_id_size), count: Int(fixed.path_size))
    guard let buildID, let path else { return nil }
    let module = Module(
      path: path, buildID: Array(buildID), loadBias: fixed.bias,
      text: fixed.text_start..<fixed.text_end)
    return SeenModule(module: module, since: clock.time(at: fixed.seen_ticks).monotonic)
  }

  /// A crumb and its time in ticks; what it refers to comes from `queues` and `stacks`, by offset in the chunk.
  func crumb(
    _ record: WholeRecord, queues: [Int: Queue], stacks: [Int: Stack]
  ) -> (ticks: UInt64, crumb: Crumb)? {
    guard let fixed = load(ms_crumb_record.self, record),
      let kind = CrumbKind(rawValue: fixed.head.kind),
      let level = CrumbLevel(rawValue: fixed.level), Self.isWithinLimits(fixed)
    else { return nil }
    let flags = UInt32(fixed.flags)
    var at = MemoryLayout<ms_crumb_record>.size
    var hop: UInt64?
    if flags & MS_CRUMB_HAS_HOP.rawValue != 0 {
      guard let id = slice(record, after: at, count: 8) else { return nil }
      hop = id.loadUnaligned(as: UInt64.self)
      at += 8
    }
    guard let category = text(record, after: at, count: Int(fixed.category_size)) else {
      return nil
    }
    at += padded(Int(fixed.category_size))
    guard let message = text(record, after: at, count: Int(fixed.message_size)) else { return nil }
    at += padded(Int(fixed.message_size))
    guard let data = slice(record, after: at, count: Int(fixed.data_size)) else { return nil }
    let time = clock.time(at: fixed.ticks)
    let crumb = Crumb(
      monotonic: time.monotonic, wall: time.wall, thread: Int(fixed.thread),
      number: fixed.head.number, queue: queues[Int(fixed.queue) * 8], onMain: onMain(flags),
      kind: kind, level: level, category: category, message: message, data: values(data),
      stack: stacks[Int(fixed.stack) * 8], hop: hop,
      isMessageCut: flags & MS_CRUMB_MESSAGE_CUT.rawValue != 0,
      isDataCut: flags & MS_CRUMB_DATA_CUT.rawValue != 0,
      isInterrupting: flags & MS_CRUMB_INTERRUPTING.rawValue != 0)
    return (fixed.ticks, crumb)
  }

  /// Whether a crumb's texts are no longer than a recorder writes them: what takes the more time or
  /// room the longer they are is held to that.
  @inline(__always)
  static func isWithinLimits(_ crumb: ms_crumb_record) -> Bool {
    Int(crumb.category_size) <= MS_CATEGORY_LIMIT
      && Int(crumb.message_size) <= MS_MESSAGE_LIMIT
      && Int(crumb.data_size) <= MS_DATA_LIMIT
  }

  private func onMain(_ flags: UInt32) -> Crumb.OnMain {
    if flags & MS_CRUMB_ON_MAIN.rawValue != 0 { return .yes }
    return flags & MS_CRUMB_MAIN_UNKNOWN.rawValue != 0 ? .unknown : .no
  }

  private func padded(_ size: Int) -> Int { (size + 7) & ~7 }

  private func values(_ data: UnsafeRawBufferPointer) -> [(key: String, value: CrumbValue)] {
    var values: [(key: String, value: CrumbValue)] = []
    var at = 0
    while at + MemoryLayout<ms_data_head>.size <= data.count {
      let head = data.loadUnaligned(fromByteOffset: at, as: ms_data_head.self)
      at += MemoryLayout<ms_data_head>.size
      let end = at + Int(head.key_size) + Int(head.value_size)
      guard end <= data.count else { break }
      let key = String(decoding: data[at..<at + Int(head.key_size)], as: UTF8.self)
      let bytes = UnsafeRawBufferPointer(rebasing: data[at + Int(head.key_size)..<end])
      if let value = value(UInt32(head.type), bytes) { values.append((key, value)) }
      at = end
    }
    return values
  }

  private func value(_ type: UInt32, _ bytes: UnsafeRawBufferPointer) -> CrumbValue? {
    switch type {
    case MS_DATA_STRING.rawValue: .string(String(decoding: bytes, as: UTF8.self))
    case MS_DATA_INTEGER.rawValue where bytes.count == 8:
      .integer(bytes.loadUnaligned(as: Int64.self))
    case MS_DATA_DOUBLE.rawValue where bytes.count == 8:
      .double(bytes.loadUnaligned(as: Double.self))
    case MS_DATA_BOOLEAN.rawValue where bytes.count == 1: .boolean(bytes[0] != 0)
    default: nil
    }
  }

  func whole(_ record: WholeRecord) -> RecordBytes {
    RecordBytes(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[record.offset..<record.offset + record.size]))
  }

  private func load<T: BitwiseCopyable>(_ type: T.Type, _ record: WholeRecord) -> T? {
    guard record.size >= MemoryLayout<T>.size else { return nil }
    return bytes.loadUnaligned(fromByteOffset: record.offset, as: T.self)
  }

  private func slice(_ record: WholeRecord, after: Int, count: Int) -> UnsafeRawBufferPointer? {
    guard after + count <= record.size else { return nil }
    let start = record.offset + after
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
  }

  private func text(_ record: WholeRecord, after: Int, count: Int) -> String? {
    slice(record, after: after, count: count).map { String(decoding: $0, as: UTF8.self) }
  }
}

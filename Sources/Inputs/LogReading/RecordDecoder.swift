import CLogFormat
import IncidentModel

/// Decodes the intact records of one chunk, except for crumbs (`CrumbIndex`).
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

  /// True if the record is large enough for the number of frames in its header.
  func isStack(_ record: WholeRecord) -> Bool {
    guard record.size >= StackHead.size, let base = bytes.baseAddress else { return false }
    let count = Int(StackHead(at: base + record.offset).count)
    return count <= MS_FRAME_LIMIT && StackHead.size + count * 8 <= record.size
  }

  func module(_ record: WholeRecord) -> SeenModule? {
    guard let fixed = load(ms_module_record.self, record),
      fixed.text_start <= fixed.text_end, Int(fixed.path_size) <= MS_PATH_LIMIT,
      Int(fixed.build_id_size) <= MS_BUILD_ID_LIMIT
    else { return nil }
    let fixedSize = MemoryLayout<ms_module_record>.size
    let identity = whole(record).bytes(at: fixedSize, count: Int(fixed.build_id_size))
    let path = text(
      record, after: fixedSize + Int(fixed.build_id_size), count: Int(fixed.path_size))
    guard let identity, let path else { return nil }
    let isStamp = fixed.identity == MS_IDENTITY_STAMP.rawValue
    let module = Module(
      path: path, buildID: isStamp ? [] : identity, stamp: isStamp ? FileStamp(identity) : nil,
      loadBias: fixed.bias, text: fixed.text_start..<fixed.text_end)
    return SeenModule(module: module, since: clock.time(at: fixed.seen_ticks).monotonic)
  }

  func whole(_ record: WholeRecord) -> RecordBytes {
    RecordBytes(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[record.offset..<record.offset + record.size]))
  }

  private func load<T: BitwiseCopyable>(_ type: T.Type, _ record: WholeRecord) -> T? {
    whole(record).load(type)
  }

  private func text(_ record: WholeRecord, after: Int, count: Int) -> String? {
    whole(record).text(at: after, count: count)
  }
}

extension FileStamp {
  fileprivate init?(_ bytes: [UInt8]) {
    guard bytes.count == MemoryLayout<ms_file_stamp>.size else { return nil }
    let stamp = bytes.withUnsafeBytes { $0.loadUnaligned(as: ms_file_stamp.self) }
    self.init(
      inode: stamp.inode, size: stamp.size, modified: stamp.modified, changed: stamp.changed)
  }
}

/// The fixed part before a stack's frames. Swift imports structs with a flexible array member
/// incompletely.
struct StackHead {
  /// The size in bytes, including the record header.
  static let size = 24

  let count: UInt16
  let end: UInt8
  let isFirstInstruction: Bool

  @inline(__always)
  init(at record: UnsafeRawPointer) {
    let fixed = record + MemoryLayout<ms_record_head>.size
    count = fixed.loadUnaligned(as: UInt16.self)
    end = fixed.load(fromByteOffset: 2, as: UInt8.self)
    isFirstInstruction = fixed.load(fromByteOffset: 3, as: UInt8.self) != 0
  }
}

/// The bytes of one intact record. All accesses are bounds-checked.
struct RecordBytes {
  let bytes: UnsafeRawBufferPointer

  func load<T: BitwiseCopyable>(_ type: T.Type, at offset: Int = 0) -> T? {
    guard offset + MemoryLayout<T>.size <= bytes.count else { return nil }
    return bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
  }

  func words(at offset: Int, count: Int) -> [UInt64]? {
    guard offset + count * 8 <= bytes.count else { return nil }
    return (0..<count).map {
      bytes.loadUnaligned(fromByteOffset: offset + $0 * 8, as: UInt64.self)
    }
  }

  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset + count <= bytes.count else { return nil }
    return Array(bytes[offset..<offset + count])
  }

  func text(at offset: Int, count: Int) -> String? {
    bytes(at: offset, count: count).map { String(decoding: $0, as: UTF8.self) }
  }
}

import CLogFormat

/// The bytes of a log, and where its chunks and records stand, so that what is changed can be made to
/// pass every check of a sum.
package struct LogImage: Sendable {
  package struct Record: Sendable {
    /// Where in the file it stands, and where its chunk does.
    var place: Int
    var chunk: Int
    var size: Int
    var type: UInt8
  }

  package struct Chunk: Sendable {
    var place: Int
    var size: Int
  }

  package var bytes: [UInt8]
  /// As they stood in the log before anything was changed.
  let chunks: [Chunk]
  let records: [Record]

  /// - Parameter bytes: a log as a recorder left it.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var chunks: [Chunk] = []
    var records: [Record] = []
    var place = Int(MS_LOG_HEADER_SIZE)
    while place + MemoryLayout<ms_chunk_header>.size <= bytes.count {
      var header = bytes.value(ms_chunk_header.self, at: place)
      guard ms_chunk_is_whole(&header), header.size >= UInt32(MS_CHUNK_SMALLEST) else {
        place += Int(MS_CHUNK_SMALLEST)
        continue
      }
      let chunk = Chunk(place: place, size: min(Int(header.size), bytes.count - place))
      chunks.append(chunk)
      records += Self.records(of: chunk, header, in: bytes)
      place += (Int(header.size) + 4095) / 4096 * 4096
    }
    self.chunks = chunks
    self.records = records
  }

  private static func records(
    of chunk: Chunk, _ header: ms_chunk_header, in bytes: [UInt8]
  ) -> [Record] {
    var records: [Record] = []
    let tag = ms_chunk_tag(header.salt, header.generation)
    var at = MemoryLayout<ms_chunk_header>.size
    while at + MemoryLayout<ms_record_head>.size <= chunk.size {
      let head = bytes.value(ms_record_head.self, at: chunk.place + at)
      let size = Int(head.words) * 8
      guard head.tag == tag, size >= 16, at + size <= chunk.size else { break }
      records.append(
        Record(place: chunk.place + at, chunk: chunk.place, size: size, type: head.type))
      at += size
    }
    return records
  }

  // MARK: Making sums right again

  mutating func signIdentity() {
    guard bytes.count >= Int(MS_LOG_HEADER_SIZE) else { return }
    var identity = bytes.value(ms_log_identity.self, at: 0)
    let salt = identity.salt
    identity.before_open.sum = ms_anchor_sum(&identity.before_open, salt)
    identity.opened.sum = ms_anchor_sum(&identity.opened, salt)
    identity.sum = ms_identity_sum(&identity)
    bytes.set(identity, at: 0)
  }

  mutating func signHeader(ofChunkAt place: Int) {
    guard place + MemoryLayout<ms_chunk_header>.size <= bytes.count else { return }
    var header = bytes.value(ms_chunk_header.self, at: place)
    header.magic = MS_CHUNK_MAGIC
    header.anchor.sum = ms_anchor_sum(&header.anchor, header.salt)
    header.sum = ms_chunk_header_sum(&header, header.generation)
    bytes.set(header, at: place)
  }

  /// Gives a record the tag and the sum of the chunk it stands in.
  mutating func sign(_ record: Record) {
    guard record.place + record.size <= bytes.count else { return }
    let header = bytes.value(ms_chunk_header.self, at: record.chunk)
    let seed = ms_record_seed(
      header.salt, header.generation, UInt32(record.place - record.chunk))
    bytes.withUnsafeMutableBytes { bytes in
      let start = bytes.baseAddress! + record.place
      start.storeBytes(of: ms_chunk_tag(header.salt, header.generation), as: UInt32.self)
      let head = start.assumingMemoryBound(to: ms_record_head.self)
      // One that claims more than there is can have no sum.
      guard Int(head.pointee.words) >= 2,
        record.place + Int(head.pointee.words) * 8 <= bytes.count
      else { return }
      head.pointee.sum = ms_record_sum(head, UInt32(head.pointee.words), seed)
    }
  }

  /// Signs a chunk's header and all records that stood in it.
  mutating func signAll(inChunkAt place: Int) {
    signHeader(ofChunkAt: place)
    for record in records where record.chunk == place { sign(record) }
  }
}

extension [UInt8] {
  func value<T: BitwiseCopyable>(_ type: T.Type, at place: Int) -> T {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: T.self) }
  }

  mutating func set<T: BitwiseCopyable>(_ value: T, at place: Int) {
    withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: place, as: T.self) }
  }
}

import CLogFormat
import IncidentModel

/// A chunk that is read incrementally while its thread appends records.
final class TailChunk {
  let header: ms_chunk_header
  private let start: UInt64
  private let buffer: UnsafeMutableRawBufferPointer
  private(set) var loaded = 0
  /// The offset up to which records were decoded.
  private(set) var scanned = MemoryLayout<ms_chunk_header>.size
  /// The queues and stacks of the chunk.
  var crumbs: CrumbIndex
  private var stuck = 0

  private static let piece = 1 << 16
  /// The number of scans for which a record may stay incomplete before it is skipped.
  private static let patience = 20

  init(_ header: ms_chunk_header, start: UInt64, size: Int, _ queues: QueueTable) {
    self.header = header
    crumbs = CrumbIndex(queues)
    self.start = start
    buffer = .allocate(byteCount: size, alignment: 8)
  }

  deinit { buffer.deallocate() }

  var size: Int { buffer.count }

  /// Reads the appended records. Returns false if the chunk was reused meanwhile.
  func read(_ reader: LogReader, _ take: (WholeRecord, TailChunk) -> Void) throws(LogReadingError)
    -> Bool
  {
    while try hasMore(reader) {
      // The bytes of a record that was incomplete are read again.
      loaded = scanned
      let end = min(loaded + Self.piece, buffer.count)
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[loaded..<end])
      // model: copy-records
      loaded += try reader.bytes.read(into: room, at: start + UInt64(loaded))
      // model: read-header-again
      guard let after = try reader.wholeHeader(at: start), after.generation == header.generation
      else { return false }
      let before = scanned
      scan(take)
      // A record may extend beyond the end of the piece.
      if scanned == before { break }
    }
    return true
  }

  /// True if a record of this generation starts after the last intact record.
  private func hasMore(_ reader: LogReader) throws(LogReadingError) -> Bool {
    guard scanned + MemoryLayout<ms_record_head>.size <= buffer.count,
      let head = try reader.bytes.load(ms_record_head.self, at: start + UInt64(scanned))
    else { return false }
    return head.tag == ms_chunk_tag(header.salt, header.generation)
  }

  private func scan(_ take: (WholeRecord, TailChunk) -> Void) {  // model: tail-scans
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<loaded])
    let base = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let tag = ms_chunk_tag(header.salt, header.generation)
    while true {
      let state = ms_record_at(
        base, UInt32(loaded), UInt32(scanned), tag, header.salt, header.generation)
      guard state == MS_RECORD_WHOLE else { return passOver(state, base, tag) }
      stuck = 0
      let head = bytes.loadUnaligned(fromByteOffset: scanned, as: ms_record_head.self)
      let size = Int(head.words) * 8
      take(WholeRecord(type: UInt32(head.type), offset: scanned, size: size), self)
      scanned += size
    }
  }

  /// Skips a record that stays incomplete. The writer may still be writing it; after `patience`
  /// scans it counts as damaged, so that later records can be read.
  private func passOver(_ state: ms_record_state, _ base: UnsafePointer<UInt8>, _ tag: UInt32) {
    guard state != MS_RECORD_NONE, loaded == buffer.count || loaded - scanned > 1 << 12 else {
      return
    }
    stuck += 1
    guard stuck > Self.patience else { return }
    var allowance = ms_search_allowance(UInt32(loaded))
    let next = ms_next_record(
      base, UInt32(loaded), UInt32(scanned), tag, header.salt, header.generation, &allowance)
    if Int(next) < loaded { scanned = Int(next) }
  }

  // MARK: Contents of records

  func decoder(_ clock: LogClock) -> RecordDecoder {
    RecordDecoder(bytes: UnsafeRawBufferPointer(rebasing: buffer[..<loaded]), clock: clock)
  }

  /// The crumb of a record; nil if the record is of another type or invalid.
  func place(of record: WholeRecord) -> CrumbPlace? {
    let bytes = UnsafeRawBufferPointer(buffer)
    return record.type == MS_RECORD_BRIEF.rawValue
      ? crumbs.place(ofBrief: record, in: bytes) : crumbs.place(of: record, in: bytes)
  }

  /// Adds a crumb of this chunk to a batch. The event may point into this chunk.
  func add(_ place: CrumbPlace, _ time: (monotonic: UInt64, wall: UInt64), to batch: EventBatch) {
    CrumbIndex.add(place, in: UnsafeRawPointer(buffer.baseAddress!), time, to: batch)
  }
}

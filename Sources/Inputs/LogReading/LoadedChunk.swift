import CLogFormat
import IncidentModel

/// A chunk's bytes in memory, with its scanned records.
final class LoadedChunk {
  let header: ms_chunk_header
  let start: UInt64
  let buffer: UnsafeMutableRawBufferPointer
  private(set) var scanned: ScannedChunk

  init(header: ms_chunk_header, start: UInt64, size: Int) {
    self.header = header
    self.start = start
    buffer = .allocate(byteCount: size, alignment: 8)
    scanned = ScannedChunk(header: header, start: start)
  }

  deinit { buffer.deallocate() }

  /// The bytes that were read.
  private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Frees the list of records.
  func forgetRecords() { scanned.records = [] }

  /// The unread range for a record that is intact but invalid.
  func refusal(of record: WholeRecord) -> Unread {
    Unread(
      offset: start + UInt64(record.offset), length: UInt64(record.size),
      reason: .other("an invalid record of type \(record.type)"))
  }

  /// Finds the records in the first `count` bytes.
  func scan(count: Int) {
    bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    scanned = ChunkScanner(bytes: bytes, header: header, start: start).scan()
  }
}

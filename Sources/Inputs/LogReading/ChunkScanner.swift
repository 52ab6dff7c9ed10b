import CLogFormat
import IncidentModel

/// The position of an intact record in its chunk.
struct WholeRecord {
  let type: UInt32
  let offset: Int
  let size: Int
}

/// The content of a chunk.
struct ScannedChunk {
  let header: ms_chunk_header
  /// The offset of the chunk in the file.
  let start: UInt64
  var records: [WholeRecord] = []
  var unread: [Unread] = []

  /// The end of the last intact record, if an earlier record is damaged.
  var endOfGap: Int? {
    guard let last = records.last, let first = unread.first,
      first.offset < start + UInt64(last.offset)
    else { return nil }
    return last.offset + last.size
  }
}

/// Finds the intact records of a chunk and the gaps between them.
struct ChunkScanner {
  let bytes: UnsafeRawBufferPointer
  let header: ms_chunk_header
  let start: UInt64

  func scan() -> ScannedChunk {  // model: scan-records
    var scanned = ScannedChunk(header: header, start: start)
    var offset = MemoryLayout<ms_chunk_header>.size
    var allowance = ms_search_allowance(UInt32(bytes.count))
    while let next = nextWhole(from: offset, &allowance) {
      if next > offset { note(&scanned, from: offset, to: next, reason(ofGapAt: offset)) }
      let head = bytes.loadUnaligned(fromByteOffset: next, as: ms_record_head.self)
      let size = Int(head.words) * 8
      scanned.records.append(WholeRecord(type: UInt32(head.type), offset: next, size: size))
      offset = next + size
    }
    let last = state(at: offset)
    if last == MS_RECORD_TORN || last == MS_RECORD_UNTAGGED {
      note(
        &scanned, from: offset, to: offset + claimedSize(at: offset),
        last == MS_RECORD_TORN ? .unfinished : .damaged)
    } else if UInt32(bytes.count) < header.size {
      note(&scanned, from: offset, to: Int(header.size), .truncated)
    }
    return scanned
  }

  /// The reason for a gap. Threads that crash at the same time share the crash chunk, and the
  /// process may end while some records are unfinished.
  private func reason(ofGapAt offset: Int) -> Unread.Reason {
    let isShared = header.pool == UInt32(MS_POOL_CRASH.rawValue)
    return isShared && state(at: offset) == MS_RECORD_TORN ? .unfinished : .damaged
  }

  private var tag: UInt32 { ms_chunk_tag(header.salt, header.generation) }

  private func state(at offset: Int) -> ms_record_state {
    guard let base = bytes.baseAddress else { return MS_RECORD_NONE }
    return ms_record_at(
      base.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count), UInt32(offset), tag,
      header.salt, header.generation)
  }

  /// The offset of the next intact record. Records are contiguous; after a damaged record, this
  /// function searches for the next one.
  private func nextWhole(from offset: Int, _ allowance: inout UInt64) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let next = ms_next_record(
      base.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count), UInt32(offset), tag,
      header.salt, header.generation, &allowance)
    return Int(next) < bytes.count ? Int(next) : nil
  }

  private func claimedSize(at offset: Int) -> Int {
    let head = bytes.loadUnaligned(fromByteOffset: offset, as: ms_record_head.self)
    return min(max(Int(head.words) * 8, 16), bytes.count - offset)
  }

  private func note(
    _ scanned: inout ScannedChunk, from: Int, to: Int, _ reason: Unread.Reason
  ) {
    scanned.unread.append(
      Unread(offset: start + UInt64(from), length: UInt64(to - from), reason: reason))
  }
}

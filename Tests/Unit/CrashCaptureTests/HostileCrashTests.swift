import LogReading
import CRecorder
import Foundation
import ProcessTesting
import Testing

@Suite("A crash whose records were tampered with")
struct HostileCrashTests {
  @Test("is read without harm, whatever it claims")
  func isReadWithoutHarm() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("hostile-\(UUID().uuidString).log").path
    defer { unlink(path) }
    _ = try ChildProcess.run("victim", ["fatal-error", "task", path])
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let records = CrashRecords(whole)
    try #require(records.offsets.count > 5)
    let file = open(path, O_RDWR)
    defer { close(file) }
    var random = SplitMix(state: 7)
    var believed = 0
    for _ in 0..<400 {
      let changed = records.tampered(with: &random)
      let offset = records.chunk
      changed.withUnsafeBytes { _ = pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
      let incident = try LogReader(path: path).read()
      if !incident.unread.contains(where: { $0.reason == .damaged }) { believed += 1 }
    }
    // What was changed is believed, as its sum is right: it is the contents that are hostile.
    #expect(believed > 350)
  }
}

/// The crash chunk of a log, as far as it is filled.
private struct CrashRecords {
  let chunk: Int
  private(set) var offsets: [Int] = []
  private var bytes: [UInt8] = []
  private let salt: UInt64
  private let generation: UInt64

  init(_ log: Data) {
    let identity = log.withUnsafeBytes { $0.load(as: ms_log_identity.self) }
    let place = withUnsafeBytes(of: identity.pools) { $0.bindMemory(to: ms_pool_place.self)[7] }
    chunk = Int(place.offset)
    let header = log.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: Int(place.offset), as: ms_chunk_header.self)
    }
    salt = header.salt
    generation = header.generation
    bytes = Array(log[chunk..<chunk + Int(place.chunk_size)])
    var at = MemoryLayout<ms_chunk_header>.size
    while let size = size(at: at), size >= 16 {
      offsets.append(at)
      at += size
    }
    bytes.removeSubrange(at...)
  }

  private func size(at offset: Int) -> Int? {
    guard offset + 16 <= bytes.count else { return nil }
    return bytes.withUnsafeBytes {
      Int($0.loadUnaligned(fromByteOffset: offset, as: ms_record_head.self).words) * 8
    }
  }

  /// The chunk with some bytes of one record changed, and its sum made right again.
  func tampered(with random: inout SplitMix) -> [UInt8] {
    var changed = bytes
    let offset = offsets[Int(random.next() % UInt64(offsets.count))]
    let size = size(at: offset) ?? 16
    for _ in 0..<1 + random.next() % 4 where size > 16 {
      changed[offset + 16 + Int(random.next() % UInt64(size - 16))] =
        random.next() % 2 == 0 ? 0xff : UInt8(truncatingIfNeeded: random.next())
    }
    if random.next() % 4 == 0 { changed[offset + 6] = UInt8(16 + random.next() % 9) }
    changed.withUnsafeMutableBytes { bytes in
      let head = bytes.baseAddress! + offset
      let typed = head.assumingMemoryBound(to: ms_record_head.self)
      typed.pointee.sum = ms_record_sum(
        typed, UInt32(typed.pointee.words), ms_record_seed(salt, generation, UInt32(offset)))
    }
    return changed
  }
}

/// Small, and the same on every run.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

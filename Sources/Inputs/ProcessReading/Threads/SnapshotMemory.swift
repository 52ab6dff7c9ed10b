import IncidentModel

/// The memory of a process that runs again, with copies of some ranges from the time of the stop.
final class SnapshotMemory: MemoryImage {
  private let base: any MemoryImage
  private var pieces: [(range: Range<UInt64>, bytes: [UInt8])] = []

  init(_ base: any MemoryImage) { self.base = base }

  var regions: [MemoryRegion] { base.regions }
  var modules: [Module] { base.modules }

  func occupied(in range: Range<UInt64>) -> [Range<UInt64>] { base.occupied(in: range) }

  /// Copies the readable part of a range. Ranges must not overlap.
  func keep(_ range: Range<UInt64>) {
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      filled = base.read(range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
    }
    let kept = range.lowerBound..<range.lowerBound + UInt64(bytes.count)
    pieces.insert((kept, bytes), at: place(of: kept.lowerBound))
  }

  func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < buffer.count {
      let (at, isBeyond) = address.addingReportingOverflow(UInt64(done))
      if isBeyond { break }
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let (count, wanted) = readPart(at, rest)
      done += count
      if count < wanted { break }
    }
    return done
  }

  /// Reads up to the next start or end of a copied range.
  private func readPart(
    _ address: UInt64, _ buffer: UnsafeMutableRawBufferPointer
  ) -> (count: Int, wanted: Int) {
    let next = place(of: address)
    if next > 0, pieces[next - 1].range.contains(address) {
      let piece = pieces[next - 1]
      let bytes = piece.bytes.dropFirst(Int(address - piece.range.lowerBound)).prefix(buffer.count)
      buffer.copyBytes(from: bytes)
      return (bytes.count, bytes.count)
    }
    let room = next < pieces.count ? pieces[next].range.lowerBound - address : UInt64.max
    let wanted = Int(min(UInt64(buffer.count), room))
    return (
      base.read(address, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])), wanted
    )
  }

  /// The number of copied ranges that begin at or before `address`.
  private func place(of address: UInt64) -> Int {
    pieces.partitioningIndex { $0.range.lowerBound > address }
  }
}

import IncidentModel

@testable import ProcessReading

/// Memory made by a test, at addresses of its choice.
final class FakeMemory: MemoryImage {
  var regions: [MemoryRegion] { pieces.map(\.region) }
  let modules: [Module] = []
  private var pieces: [(region: MemoryRegion, words: [UInt64])] = []

  /// Adds a range, above those that were added before.
  func add(_ words: [UInt64], at address: UInt64, isCode: Bool = false) {
    let region = MemoryRegion(
      range: address..<address + UInt64(words.count) * 8, isWritable: !isCode,
      isExecutable: isCode, path: "")
    pieces.append((region, words))
  }

  func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let piece = pieces.first(where: { $0.region.range.contains(address) }) else { return 0 }
    let offset = Int(address - piece.region.range.lowerBound)
    return piece.words.withUnsafeBytes { bytes in
      let part = bytes.dropFirst(offset).prefix(buffer.count)
      buffer.copyBytes(from: part)
      return part.count
    }
  }
}

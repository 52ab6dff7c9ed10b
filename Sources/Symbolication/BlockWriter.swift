/// Puts an index's block together.
struct BlockWriter {
  private var bytes: [UInt8] = []

  mutating func append(_ part: UnsafeRawBufferPointer) { bytes.append(contentsOf: part) }

  /// The block with its size and checksum filled in.
  consuming func finish() -> IndexStorage {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    block.copyBytes(from: bytes)
    var header = block.loadUnaligned(as: SymbolIndex.Header.self)
    header.byteCount = UInt64(block.count)
    block.storeBytes(of: header, as: SymbolIndex.Header.self)
    header.checksum = checksum(of: UnsafeRawBufferPointer(block))
    block.storeBytes(of: header, as: SymbolIndex.Header.self)
    return IndexStorage(allocated: block)
  }
}

/// A checksum of an index's block; it finds damage, not malice.
func checksum(of block: UnsafeRawBufferPointer) -> UInt64 {
  let prime: UInt64 = 0x9e37_79b9_7f4a_7c15
  var sums: (UInt64, UInt64) = (prime, ~prime)
  var at = SymbolIndex.Header.checkedFrom
  while at + 16 <= block.count {
    let words = (
      block.loadUnaligned(fromByteOffset: at, as: UInt64.self),
      block.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self)
    )
    sums = ((sums.0 ^ words.0) &* prime, (sums.1 ^ words.1) &* prime)
    sums = (sums.0 ^ sums.0 >> 29, sums.1 ^ sums.1 >> 31)
    at += 16
  }
  for byte in block[at...] { sums.0 = (sums.0 ^ UInt64(byte)) &* prime }
  return sums.0 ^ (sums.1 &* prime) ^ UInt64(block.count)
}

/// Puts an index's block together.
struct BlockWriter {
  private var header: SymbolIndex.Header
  private var parts: [UInt8] = []

  init(_ header: SymbolIndex.Header) { self.header = header }

  mutating func append(_ part: some Sequence<some BitwiseCopyable>) {
    let isContiguous: Void? = part.withContiguousStorageIfAvailable {
      parts.append(contentsOf: UnsafeRawBufferPointer($0))
    }
    guard isContiguous == nil else { return }
    for element in part { withUnsafeBytes(of: element) { parts.append(contentsOf: $0) } }
  }

  /// The block, with its size and checksum in the header.
  consuming func finish() -> IndexStorage {
    let headerSize = MemoryLayout<SymbolIndex.Header>.size
    let block = UnsafeMutableRawBufferPointer.allocate(
      byteCount: headerSize + parts.count, alignment: 16)
    header.byteCount = UInt64(block.count)
    block.storeBytes(of: header, as: SymbolIndex.Header.self)
    UnsafeMutableRawBufferPointer(rebasing: block[headerSize...]).copyBytes(from: parts)
    header.checksum = checksum(of: UnsafeRawBufferPointer(block))
    block.storeBytes(of: header, as: SymbolIndex.Header.self)
    return IndexStorage(allocated: block)
  }
}

extension SymbolIndex {
  /// The same index with other readable forms.
  func block(readableStarts: [UInt32], readables: [UInt8]) -> IndexStorage {
    var header = header
    header.readableBytes = UInt32(readables.count)
    var writer = BlockWriter(header)
    return withExtendedLifetime(storage) {
      let before = self.readableStarts.address(of: 0) - storage.bytes.baseAddress!
      writer.append(storage.bytes[MemoryLayout<Header>.size..<before])
      writer.append(readableStarts)
      writer.append(
        UnsafeRawBufferPointer(start: strings.address(of: 0), count: strings.count))
      writer.append(readables)
      writer.append(buildID.elements)
      return writer.finish()
    }
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

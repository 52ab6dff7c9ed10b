/// Builds a block of tables in memory of its own.
struct BlockWriter {
  private let block: UnsafeMutableRawBufferPointer
  private var at: Int

  /// Allocates a block.
  ///
  /// - Parameters:
  ///   - headerSize: The number of bytes to reserve for the header.
  ///   - byteCount: The size of all tables in bytes.
  init(headerSize: Int, byteCount: Int) {
    block = IndexStorage.allocate(headerSize + byteCount)
    at = headerSize
  }

  mutating func append<Element: BitwiseCopyable>(_ part: UnsafeBufferPointer<Element>) {
    let bytes = UnsafeRawBufferPointer(part)
    UnsafeMutableRawBufferPointer(rebasing: block[at..<at + bytes.count]).copyMemory(from: bytes)
    at += bytes.count
  }

  mutating func append<Element: BitwiseCopyable>(_ part: [Element]) {
    part.withUnsafeBufferPointer { append($0) }
  }

  /// Writes the header and returns the block. The tables must have filled the block.
  func finish<Header: BlockHeader>(_ header: Header) -> IndexStorage {
    precondition(at == block.count)
    var header = header
    header.byteCount = UInt64(block.count)
    block.storeBytes(of: header, as: Header.self)
    header.checksum = checksum(of: UnsafeRawBufferPointer(block))
    block.storeBytes(of: header, as: Header.self)
    return IndexStorage(allocated: block)
  }
}

/// The header of a block, which starts with the magic number and the checksum, 8 bytes each.
protocol BlockHeader: BitwiseCopyable {
  static var expectedMagic: UInt64 { get }
  var magic: UInt64 { get }
  var checksum: UInt64 { get set }
  var byteCount: UInt64 { get set }
}

extension BlockHeader {
  /// The header of an intact block; nil if the block is damaged.
  static func read(from storage: IndexStorage) -> Self? {
    guard storage.bytes.count >= MemoryLayout<Self>.size,
      case let header = storage.bytes.loadUnaligned(as: Self.self),
      header.magic == expectedMagic, header.byteCount == UInt64(storage.bytes.count),
      header.checksum == Symbolication.checksum(of: storage.bytes)
    else { return nil }
    return header
  }
}

/// A checksum of a block, which detects damage but no manipulation.
func checksum(of block: UnsafeRawBufferPointer) -> UInt64 {
  // The magic number and the checksum itself are excluded.
  var at = 16
  let prime: UInt64 = 0x9e37_79b9_7f4a_7c15
  // Independent lanes: several multiplications at a time take no longer than one.
  var sums = (prime, ~prime, prime << 1, ~prime << 1, prime >> 1, ~prime >> 1, UInt64(1), UInt64(2))
  func mix(_ sum: inout UInt64, _ offset: Int) {
    sum = (sum ^ block.loadUnaligned(fromByteOffset: at + offset, as: UInt64.self)) &* prime
    sum ^= sum >> 29
  }
  while at + 64 <= block.count {
    mix(&sums.0, 0)
    mix(&sums.1, 8)
    mix(&sums.2, 16)
    mix(&sums.3, 24)
    mix(&sums.4, 32)
    mix(&sums.5, 40)
    mix(&sums.6, 48)
    mix(&sums.7, 56)
    at += 64
  }
  var sum = UInt64(block.count)
  for lane in [sums.0, sums.1, sums.2, sums.3, sums.4, sums.5, sums.6, sums.7] {
    sum = (sum ^ lane) &* prime
    sum ^= sum >> 32
  }
  for byte in block[min(at, block.count)...] { sum = (sum ^ UInt64(byte)) &* prime }
  return sum
}

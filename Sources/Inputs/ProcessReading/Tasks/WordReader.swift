/// Reads aligned words of a memory image through a page cache, because the parts of a task are
/// close together.
final class WordReader {
  let image: any MemoryImage
  let regions: [MemoryRegion]
  private static let pageBits: UInt64 = 12
  private static let pageBytes = 1 << Int(pageBits)
  private static let places = 4096
  private let storage = UnsafeMutableRawPointer.allocate(
    byteCount: places * pageBytes, alignment: 4096)
  private var tags = [UInt64](repeating: .max, count: places)
  private var lengths = [Int](repeating: 0, count: places)

  init(_ image: any MemoryImage) {
    self.image = image
    regions = image.regions
  }

  deinit { storage.deallocate() }

  /// The word at `address`; nil if it is unreadable or unaligned.
  func word(at address: UInt64) -> UInt64? {
    guard address & 7 == 0 else { return nil }
    let tag = address >> Self.pageBits
    let place = Int(truncatingIfNeeded: tag ^ tag >> 12) & (Self.places - 1)
    if tags[place] != tag { fill(place, tag) }
    let offset = Int(truncatingIfNeeded: address) & (Self.pageBytes - 1)
    guard offset + 8 <= lengths[place] else { return nil }
    return storage.load(fromByteOffset: place * Self.pageBytes + offset, as: UInt64.self)
  }

  private func fill(_ place: Int, _ tag: UInt64) {
    let start = tag << Self.pageBits
    let buffer = UnsafeMutableRawBufferPointer(
      start: storage + place * Self.pageBytes, count: Self.pageBytes)
    tags[place] = tag
    lengths[place] = image.read(start, into: buffer)
  }

  /// The 32-bit number at `address`.
  func half(at address: UInt64) -> UInt32? {
    guard address & 3 == 0, let word = word(at: address & ~7) else { return nil }
    return UInt32(truncatingIfNeeded: address & 4 == 0 ? word : word >> 32)
  }

  /// The NUL-terminated text at `address`, truncated at `limit` bytes; nil if the memory is
  /// unreadable or no text.
  func text(at address: UInt64, limit: Int = 256) -> String? {
    var bytes: [UInt8] = []
    var next = address
    while bytes.count < limit {
      guard let word = word(at: next & ~7) else { break }
      let byte = UInt8(truncatingIfNeeded: word >> ((next & 7) * 8))
      if byte == 0 { break }
      bytes.append(byte)
      next &+= 1
    }
    return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
  }

  /// The region that contains `address`.
  func region(at address: UInt64) -> MemoryRegion? { regions.region(at: address) }

  func isCode(_ address: UInt64) -> Bool { region(at: address)?.isExecutable == true }
}

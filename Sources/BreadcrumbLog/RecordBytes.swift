/// The bytes of one whole record; everything in them is checked against their number.
struct RecordBytes {
  let bytes: UnsafeRawBufferPointer

  func load<T: BitwiseCopyable>(_ type: T.Type, at offset: Int = 0) -> T? {
    guard offset + MemoryLayout<T>.size <= bytes.count else { return nil }
    return bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
  }

  func words(at offset: Int, count: Int) -> [UInt64]? {
    guard offset + count * 8 <= bytes.count else { return nil }
    return (0..<count).map {
      bytes.loadUnaligned(fromByteOffset: offset + $0 * 8, as: UInt64.self)
    }
  }

  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset + count <= bytes.count else { return nil }
    return Array(bytes[offset..<offset + count])
  }

  func text(at offset: Int, count: Int) -> String? {
    bytes(at: offset, count: count).map { String(decoding: $0, as: UTF8.self) }
  }
}

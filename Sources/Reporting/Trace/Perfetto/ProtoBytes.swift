/// Bytes of protobuf messages, written field by field.
struct ProtoBytes {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func field(_ number: UInt32, _ value: UInt64) {
    varint(UInt64(number) << 3)
    varint(value)
  }

  mutating func field(_ number: UInt32, _ value: Int64) {
    field(number, UInt64(bitPattern: value))
  }

  mutating func field(_ number: UInt32, _ value: Bool) { field(number, value ? 1 : 0 as UInt64) }

  mutating func field(_ number: UInt32, _ value: Double) {
    varint(UInt64(number) << 3 | 1)
    fixed(value.bitPattern)
  }

  /// A field of 64 bits that are written as they are.
  mutating func fixedField(_ number: UInt32, _ value: UInt64) {
    varint(UInt64(number) << 3 | 1)
    fixed(value)
  }

  mutating func field(_ number: UInt32, _ text: String) {
    var text = text
    text.withUTF8 { field(number, UnsafeRawBufferPointer($0)) }
  }

  mutating func field(_ number: UInt32, _ contents: UnsafeRawBufferPointer) {
    varint(UInt64(number) << 3 | 2)
    varint(UInt64(contents.count))
    bytes.append(contentsOf: contents)
  }

  mutating func field(_ number: UInt32, _ contents: ProtoBytes) {
    contents.bytes.withUnsafeBytes { field(number, $0) }
  }

  /// A message within this one. Its length is known only after it: four bytes are kept for it, which
  /// is no canonical number, but one that every reader takes.
  @inline(__always)
  mutating func message(_ number: UInt32, _ body: (inout ProtoBytes) -> Void) {
    varint(UInt64(number) << 3 | 2)
    let place = bytes.count
    bytes.append(contentsOf: [0x80, 0x80, 0x80, 0])
    body(&self)
    let length = bytes.count - place - 4
    precondition(length < 1 << 28)
    for index in 0..<4 {
      bytes[place + index] |= UInt8(truncatingIfNeeded: length >> (7 * index)) & 0x7F
    }
  }

  @inline(__always)
  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func fixed(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

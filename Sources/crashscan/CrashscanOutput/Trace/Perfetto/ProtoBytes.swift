/// A buffer for protobuf messages, written field by field.
struct ProtoBytes: ~Copyable {
  private(set) var count = 0
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  init() {
    capacity = 1 << 12
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  mutating func removeAll() { count = 0 }

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

  /// Writes a 64-bit field of fixed width.
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
    reserve(contents.count)
    guard let from = contents.baseAddress else { return }
    UnsafeMutableRawPointer(start + count).copyMemory(from: from, byteCount: contents.count)
    count += contents.count
  }

  /// Writes a nested message. Its length is known only afterwards, so four bytes are reserved: a
  /// non-canonical varint, which every reader accepts.
  @inline(__always)
  mutating func message(_ number: UInt32, _ body: (inout ProtoBytes) -> Void) {
    varint(UInt64(number) << 3 | 2)
    reserve(4)
    let place = count
    count += 4
    body(&self)
    let length = count - place - 4
    precondition(length < 1 << 28)
    for index in 0..<4 {
      let bits = UInt8(truncatingIfNeeded: length >> (7 * index)) & 0x7F
      start[place + index] = index < 3 ? bits | 0x80 : bits
    }
  }

  @inline(__always)
  private mutating func varint(_ value: UInt64) {
    reserve(10)
    var rest = value
    while rest >= 0x80 {
      start[count] = UInt8(truncatingIfNeeded: rest) | 0x80
      count += 1
      rest >>= 7
    }
    start[count] = UInt8(truncatingIfNeeded: rest)
    count += 1
  }

  private mutating func fixed(_ value: UInt64) {
    reserve(8)
    UnsafeMutableRawPointer(start + count).storeBytes(of: value.littleEndian, as: UInt64.self)
    count += 8
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if count + more > capacity { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    let larger = max(2 * capacity, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: start, count: count)
    start.deallocate()
    start = moved
    capacity = larger
  }
}

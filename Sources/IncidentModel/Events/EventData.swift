/// The keys and values of an event, walked where they lie.
package struct EventData: Sequence, IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private var at = 0

  package init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package mutating func next() -> (key: UnsafeRawBufferPointer, value: EncodedValue)? {
    guard at + 4 <= bytes.count else { return nil }
    let type = bytes[at]
    let keyStart = at + 4
    let keyEnd = keyStart + Int(bytes[at + 1])
    let end = keyEnd + Int(bytes.loadUnaligned(fromByteOffset: at + 2, as: UInt16.self))
    guard end <= bytes.count else { return nil }
    at = end
    return (
      UnsafeRawBufferPointer(rebasing: bytes[keyStart..<keyEnd]),
      EncodedValue(type: type, bytes: UnsafeRawBufferPointer(rebasing: bytes[keyEnd..<end]))
    )
  }
}

/// A value as its bytes.
package struct EncodedValue {
  let type: UInt8
  package let bytes: UnsafeRawBufferPointer

  /// The value; nil where the bytes make no sense.
  package var decoded: CrumbValue? {
    switch (type, bytes.count) {
    case (1, _): .string(String(decoding: bytes, as: UTF8.self))
    case (2, 8): .integer(bytes.loadUnaligned(as: Int64.self))
    case (3, 8): .double(bytes.loadUnaligned(as: Double.self))
    case (4, 1): .boolean(bytes[0] != 0)
    default: nil
    }
  }
}

/// The keys and values of an event, decoded in place.
package struct EventData: Sequence, IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private var at = 0
  /// The flag of a value that the recorder writes once for many crumbs.
  private static let fixed: UInt8 = 0x80

  package init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package mutating func next() -> (key: UnsafeRawBufferPointer, value: EncodedValue)? {
    guard at + 4 <= bytes.count else { return nil }
    let type = bytes[at] & ~Self.fixed
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

extension EventData {
  /// All keys and values, in recorded order, without invalid values.
  package var decoded: [(key: String, value: CrumbValue)] {
    compactMap { name, value in
      value.decoded.map { (String(decoding: name, as: UTF8.self), $0) }
    }
  }
}

/// The encoded bytes of a value.
package struct EncodedValue {
  /// The type of a value, as docs/internals/log-format.md numbers it.
  fileprivate enum Kind: UInt8 {
    case string = 1
    case integer = 2
    case double = 3
    case boolean = 4
  }

  fileprivate let type: UInt8
  package let bytes: UnsafeRawBufferPointer

  /// The value; nil if the bytes are invalid.
  package var decoded: CrumbValue? {
    switch (Kind(rawValue: type), bytes.count) {
    case (.string, _): .string(String(decoding: bytes, as: UTF8.self))
    case (.integer, 8): .integer(bytes.loadUnaligned(as: Int64.self))
    case (.double, 8): .double(bytes.loadUnaligned(as: Double.self))
    case (.boolean, 1): .boolean(bytes[0] != 0)
    default: nil
    }
  }
}

extension CrumbValue {
  /// Returns the encoding of the value under `key` that `EventData` reads. Long texts are
  /// truncated.
  func encoded(under key: String) -> [UInt8] {
    let key = Array(key.utf8.prefix(255))
    let (kind, content): (EncodedValue.Kind, [UInt8]) =
      switch self {
      case .string(let text): (.string, Array(text.utf8.prefix(4096)))
      case .integer(let number): (.integer, withUnsafeBytes(of: number) { Array($0) })
      case .double(let number): (.double, withUnsafeBytes(of: number) { Array($0) })
      case .boolean(let truth): (.boolean, [truth ? 1 : 0])
      }
    let size = withUnsafeBytes(of: UInt16(content.count)) { Array($0) }
    return [kind.rawValue, UInt8(key.count)] + size + key + content
  }
}

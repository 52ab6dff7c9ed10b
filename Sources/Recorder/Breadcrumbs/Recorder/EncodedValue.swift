internal import CRecorder
import Glibc

/// A key and a value as a crumb's data have them.
struct EncodedValue {
  typealias Bytes = UnsafeRawBufferPointer

  /// Itself alone.
  let encoded: ms_crumb_context
  private let head: ms_data_head

  private static let headSize = MemoryLayout<ms_data_head>.size

  /// The maximum number of bytes that a key and its value take.
  static func room(_ key: String, _ value: CrumbValue) -> Int {
    var size = MemoryLayout<Int64>.size
    if case .string(let text) = value { size = text.utf8.count }
    return headSize + key.utf8.count + size
  }

  var key: Bytes { Bytes(start: encoded.bytes + Self.headSize, count: Int(head.key_size)) }

  var value: CrumbValue {
    let start = EncodedValue.headSize + Int(head.key_size)
    let bytes = Bytes(start: encoded.bytes + start, count: Int(head.value_size))
    switch ms_data_type(UInt32(head.type)) {
    case MS_DATA_INTEGER: return .integer(bytes.loadUnaligned(as: Int64.self))
    case MS_DATA_DOUBLE: return .double(bytes.loadUnaligned(as: Double.self))
    case MS_DATA_BOOLEAN: return .boolean(bytes[0] != 0)
    default: return .string(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// All of a context, which we have encoded ourselves.
  struct Sequence: Swift.Sequence, IteratorProtocol {
    private let context: ms_crumb_context
    private var place: UInt32 = 0

    init(_ context: ms_crumb_context) { self.context = context }

    mutating func next() -> EncodedValue? {
      guard place < context.size else { return nil }
      let start = context.bytes + Int(place)
      let head = UnsafeRawPointer(start).loadUnaligned(as: ms_data_head.self)
      let size =
        UInt32(EncodedValue.headSize) + UInt32(head.key_size) + UInt32(head.value_size)
      place += size
      return EncodedValue(
        encoded: ms_crumb_context(bytes: start, size: size, count: 1), head: head)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether they are those of the text.
  func isEqual(to text: String) -> Bool {
    withBytes(of: text) { start, size in
      guard size == count else { return false }
      guard let start, let baseAddress else { return true }
      return memcmp(baseAddress, start, size) == 0
    }
  }
}

/// Memory for the texts and stacks of events that have no bytes of their own; it lives as long as
/// this does.
final class EventArena {
  private var pieces: [UnsafeMutableRawPointer] = []

  deinit { for piece in pieces { piece.deallocate() } }

  /// A row with its texts: what is too long for a row's sizes is cut.
  func row(
    category: String, message: String, data: [(key: String, value: CrumbValue)]
  ) -> EventRow {
    var row = EventRow()
    let category = Array(category.utf8.prefix(Int(UInt8.max)))
    let message = Array(message.utf8.prefix(Int(UInt16.max)))
    var values: [UInt8] = []
    for (key, value) in data {
      let encoded = encode(key, value)
      if values.count + encoded.count <= Int(UInt16.max) { values += encoded }
    }
    row.categorySize = UInt8(category.count)
    row.messageSize = UInt16(message.count)
    row.dataSize = UInt16(values.count)
    row.text = store(padded(category) + padded(message) + values)
    return row
  }

  /// The addresses of a stack, as a row has them.
  func frames(_ frames: [FrameAddress]) -> UnsafeRawPointer {
    let addresses = frames.prefix(Int(UInt16.max)).map(\.recorded)
    return addresses.withUnsafeBytes { store(Array($0)) }
  }

  private func encode(_ key: String, _ value: CrumbValue) -> [UInt8] {
    let key = Array(key.utf8.prefix(Int(UInt8.max)))
    let (type, bytes): (UInt8, [UInt8]) =
      switch value {
      case .string(let text): (1, Array(text.utf8.prefix(Int(UInt16.max))))
      case .integer(let number): (2, withUnsafeBytes(of: number) { Array($0) })
      case .double(let number): (3, withUnsafeBytes(of: number) { Array($0) })
      case .boolean(let truth): (4, [truth ? 1 : 0])
      }
    let size = UInt16(bytes.count)
    return [type, UInt8(key.count), UInt8(size & 0xff), UInt8(size >> 8)] + key + bytes
  }

  private func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
  }

  private func store(_ bytes: [UInt8]) -> UnsafeRawPointer {
    let piece = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
    piece.copyMemory(from: bytes, byteCount: bytes.count)
    pieces.append(piece)
    return UnsafeRawPointer(piece)
  }
}

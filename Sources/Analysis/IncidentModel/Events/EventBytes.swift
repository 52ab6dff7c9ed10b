/// The texts and the stack of an event that is not from a log, in one allocation to which a batch
/// can point.
package final class EventBytes {
  package let row: EventRow
  private let memory: UnsafeMutableRawBufferPointer

  package init(
    _ row: EventRow, category: String, message: String, data: [(key: String, value: CrumbValue)],
    frames: [FrameAddress]
  ) {
    let category = Array(category.utf8.prefix(255))
    let message = Array(message.utf8.prefix(4096))
    let values = Self.encoded(data)
    let frames = frames.prefix(4096)
    let bytes =
      [category, message, values].flatMap { $0 + Self.padding(behind: $0) }
      + frames.flatMap { frame in withUnsafeBytes(of: frame.word) { Array($0) } }
    memory = .allocate(byteCount: bytes.count + 1, alignment: 8)
    memory.copyBytes(from: bytes)
    let start = UnsafeRawPointer(memory.baseAddress!)
    var row = row
    row.text = start
    row.categorySize = UInt8(category.count)
    row.messageSize = UInt16(message.count)
    row.dataSize = UInt16(values.count)
    row.frameCount = UInt16(frames.count)
    row.frames = frames.isEmpty ? nil : start + (bytes.count - frames.count * 8)
    if case .instruction? = frames.first { row.marks.insert(.firstIsInstruction) }
    self.row = row
  }

  deinit { memory.deallocate() }

  private static func padding(behind bytes: [UInt8]) -> [UInt8] {
    [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
  }

  /// Encodes the leading keys and values that fit into 32 KiB.
  private static func encoded(_ data: [(key: String, value: CrumbValue)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (key, value) in data {
      let encoded = value.encoded(under: key)
      guard bytes.count + encoded.count <= 32_768 else { break }
      bytes += encoded
    }
    return bytes
  }
}

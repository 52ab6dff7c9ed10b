import IncidentModel

/// An event's texts and stack in one piece of memory, as batches point into it.
final class EventBytes {
  let row: EventRow
  private let memory: UnsafeMutableRawBufferPointer

  init(
    _ row: EventRow, category: String, message: String, data: [(key: String, value: CrumbValue)],
    frames: [FrameAddress]
  ) {
    var row = row
    let category = Array(category.utf8.prefix(255))
    let message = Array(message.utf8.prefix(4096))
    let values = Self.encoded(data)
    let frames = frames.prefix(4096)
    let texts = Self.padded(category.count) + Self.padded(message.count) + Self.padded(values.count)
    memory = .allocate(byteCount: texts + frames.count * 8 + 8, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    memory.copyBytes(from: category)
    UnsafeMutableRawBufferPointer(rebasing: memory[Self.padded(category.count)...])
      .copyBytes(from: message)
    let start = Self.padded(category.count) + Self.padded(message.count)
    UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyBytes(from: values)
    for (place, frame) in frames.enumerated() {
      memory.storeBytes(of: frame.recorded, toByteOffset: texts + place * 8, as: UInt64.self)
    }
    row.text = UnsafeRawPointer(memory.baseAddress)
    row.categorySize = UInt8(category.count)
    row.messageSize = UInt16(message.count)
    row.dataSize = UInt16(values.count)
    row.frameCount = UInt16(frames.count)
    row.frames = frames.isEmpty ? nil : UnsafeRawPointer(memory.baseAddress! + texts)
    row.marks.insert(.firstIsInstruction)
    self.row = row
  }

  deinit { memory.deallocate() }

  private static func padded(_ size: Int) -> Int { (size + 7) & ~7 }

  /// Keys and values as docs/log-format.md has them, as many as there is room for.
  private static func encoded(_ data: [(key: String, value: CrumbValue)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (key, value) in data {
      let name = Array(key.utf8.prefix(255))
      let (type, content) = encoded(value)
      guard bytes.count + 4 + name.count + content.count <= 32_768 else { break }
      bytes += [type, UInt8(name.count)]
      bytes += withUnsafeBytes(of: UInt16(content.count)) { Array($0) }
      bytes += name + content
    }
    return bytes
  }

  private static func encoded(_ value: CrumbValue) -> (type: UInt8, content: [UInt8]) {
    switch value {
    case .string(let text): (1, Array(text.utf8.prefix(4096)))
    case .integer(let number): (2, withUnsafeBytes(of: number) { Array($0) })
    case .double(let number): (3, withUnsafeBytes(of: number) { Array($0) })
    case .boolean(let flag): (4, [flag ? 1 : 0])
    }
  }
}

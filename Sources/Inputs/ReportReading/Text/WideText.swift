/// Decodes text in UTF-16 or UTF-32, which some editors and consoles save.
enum WideText {
  /// The code unit layout of a text.
  private struct Layout {
    let width: Int
    let isLittle: Bool
    /// The offset of the text after the byte order mark.
    var start = 0
  }

  static func isWide(_ head: some Collection<UInt8>) -> Bool { layout(head) != nil }

  /// The text in UTF-8, if `bytes` look like UTF-16 or UTF-32; nil otherwise.
  static func narrowed(_ bytes: [UInt8]) -> [UInt8]? {
    guard let layout = layout(bytes.prefix(sample)) else { return nil }
    let ends = stride(from: layout.start, to: bytes.count - layout.width + 1, by: layout.width)
    let unit = { (at: Int) in
      (0..<layout.width).reduce(UInt32(0)) { value, place in
        let byte = bytes[at + (layout.isLittle ? layout.width - 1 - place : place)]
        return value << 8 | UInt32(byte)
      }
    }
    if layout.width == 2 {
      return Array(String(decoding: ends.lazy.map { UInt16(unit($0)) }, as: UTF16.self).utf8)
    }
    return Array(String(decoding: ends.lazy.map(unit), as: UTF32.self).utf8)
  }

  /// The number of bytes from which the layout is detected.
  private static let sample = 4096

  private static let marks: [(bytes: [UInt8], layout: Layout)] = [
    ([0xff, 0xfe, 0, 0], Layout(width: 4, isLittle: true, start: 4)),
    ([0, 0, 0xfe, 0xff], Layout(width: 4, isLittle: false, start: 4)),
    ([0xff, 0xfe], Layout(width: 2, isLittle: true, start: 2)),
    ([0xfe, 0xff], Layout(width: 2, isLittle: false, start: 2)),
  ]

  /// The layout by the byte order mark; without a mark, by the positions of zero bytes, because
  /// most characters of any log are ASCII.
  private static func layout(_ head: some Collection<UInt8>) -> Layout? {
    let head = Array(head.prefix(sample))
    if let mark = marks.first(where: { head.starts(with: $0.bytes) }) { return mark.layout }
    guard head.count >= 8, head.contains(0) else { return nil }
    let zeros = (0..<4).map { place in
      let bytes = stride(from: place, to: head.count, by: 4)
      let count = bytes.lazy.filter { head[$0] == 0 }.count
      return Double(count) / Double((head.count - place + 3) / 4)
    }
    let isFull = { (places: [Int]) in places.allSatisfy { zeros[$0] < 0.02 } }
    let isEmpty = { (places: [Int], share: Double) in places.allSatisfy { zeros[$0] >= share } }
    if isFull([0]), isEmpty([1], 0.7), isEmpty([2, 3], 1) {
      return Layout(width: 4, isLittle: true)
    }
    if isFull([3]), isEmpty([2], 0.7), isEmpty([0, 1], 1) {
      return Layout(width: 4, isLittle: false)
    }
    if isFull([0, 2]), isEmpty([1, 3], 0.7) { return Layout(width: 2, isLittle: true) }
    if isFull([1, 3]), isEmpty([0, 2], 0.7) { return Layout(width: 2, isLittle: false) }
    return nil
  }
}

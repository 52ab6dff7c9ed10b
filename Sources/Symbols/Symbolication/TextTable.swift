/// Numbered strings in a block of memory, which the caller keeps alive.
struct TextTable {
  private let starts: FlatArray<UInt32>
  private let bytes: FlatArray<UInt8>

  /// Reads the table from a block: the starts of the texts, then the texts, each with a terminating zero.
  init?(_ cutter: inout TableReader, count: UInt32, byteCount: UInt32) {
    guard let starts = cutter.cut(UInt32.self, count), let bytes = cutter.cut(UInt8.self, byteCount)
    else { return nil }
    self.starts = starts
    self.bytes = bytes
  }

  var count: Int { starts.count }

  /// The range of a text in `bytes`; empty if no text has this number.
  private func bounds(_ number: UInt32) -> Range<Int> {
    guard number < starts.count else { return 0..<0 }
    let start = Int(starts[Int(number)])
    let next = Int(number) + 1 < starts.count ? Int(starts[Int(number) + 1]) : bytes.count
    return start < next && next <= bytes.count ? start..<next - 1 : 0..<0
  }

  /// The text with this number; nil if the text is empty or does not exist.
  subscript(number: UInt32) -> String? {
    let bounds = bounds(number)
    guard !bounds.isEmpty else { return nil }
    return String(
      decoding: UnsafeRawBufferPointer(
        start: bytes.address(of: bounds.lowerBound), count: bounds.count),
      as: UTF8.self)
  }

  /// The bytes of a text, with the terminating zero; empty if no text has this number.
  func bytes(of number: UInt32) -> UnsafeBufferPointer<UInt8> {
    let bounds = bounds(number)
    guard !bounds.isEmpty else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(
      start: bytes.address(of: bounds.lowerBound).assumingMemoryBound(to: UInt8.self),
      count: bounds.count + 1)
  }
}

/// Text in UTF-16, as some editors and consoles save it.
enum WideText {
  /// The text in UTF-8, if `bytes` begin as UTF-16 does; nil for any other.
  static func narrowed(_ bytes: [UInt8]) -> [UInt8]? {
    guard let isLittle = isLittleEndian(bytes.prefix(64)) else { return nil }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for at in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (low, high) = isLittle ? (bytes[at], bytes[at + 1]) : (bytes[at + 1], bytes[at])
      units.append(UInt16(high) << 8 | UInt16(low))
    }
    if units.first == 0xfeff { units.removeFirst() }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// How such text is laid out, by its mark, or by every other of its first bytes being nothing.
  static func isLittleEndian(_ head: some Collection<UInt8>) -> Bool? {
    let head = Array(head.prefix(64))
    if head.starts(with: [0xff, 0xfe]) { return true }
    if head.starts(with: [0xfe, 0xff]) { return false }
    guard head.count >= 8 else { return nil }
    let halves = (0..<2).map { half in
      stride(from: half, to: head.count, by: 2).filter { head[$0] != 0 }.count
    }
    if halves[1] == 0, halves[0] == (head.count + 1) / 2 { return true }
    return halves[0] == 0 && halves[1] == head.count / 2 ? false : nil
  }
}

/// Decodes text in Windows-1252, the default of Windows tools in western Europe.
enum Windows1252 {
  /// The text in UTF-8: each byte that is not UTF-8 becomes its Windows-1252 character. Nil if all
  /// bytes are UTF-8.
  static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    guard !isUTF8(bytes) else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    var at = 0
    while at < bytes.count {
      let length = sequence(bytes, at)
      if length > 0 {
        text += bytes[at..<(at + length)]
        at += length
      } else {
        text += Array(String(sign(bytes[at])).utf8)
        at += 1
      }
    }
    return text
  }

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    var at = 0
    while at < bytes.count {
      let length = bytes[at] < 0x80 ? 1 : sequence(bytes, at)
      if length == 0 { return false }
      at += length
    }
    return true
  }

  /// The length of the UTF-8 sequence at an index; 0 if the bytes are no valid sequence.
  private static func sequence(_ bytes: [UInt8], _ at: Int) -> Int {
    let length =
      switch bytes[at] {
      case 0..<0x80: 1
      case 0xc2...0xdf: 2
      case 0xe0...0xef: 3
      case 0xf0...0xf4: 4
      default: 0
      }
    guard length > 0, at + length <= bytes.count,
      bytes[(at + 1)..<(at + length)].allSatisfy({ $0 & 0xc0 == 0x80 })
    else { return 0 }
    return length
  }

  /// The characters of 0x80 to 0x9f, the only range in which Windows-1252 differs from Latin-1.
  private static let signs = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ".unicodeScalars)

  private static func sign(_ byte: UInt8) -> Unicode.Scalar {
    (0x80..<0xa0).contains(byte) ? signs[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }
}

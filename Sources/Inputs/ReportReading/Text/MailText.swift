/// The body of a mail as it was written: quoted-printable and base64 are undone, and the markup of its page is taken
/// off.
enum MailText {
  /// - Returns: nil if the text is no such mail.
  static func decoded(_ text: [UInt8]) -> [UInt8]? {
    let head = String(decoding: text.prefix(1 << 14), as: UTF8.self).lowercased()
    if head.contains("content-transfer-encoding: base64"), let body = base64(text) { return body }
    let isTold = head.contains("content-transfer-encoding: quoted-printable")
    guard isTold || isQuotedPrintable(text) else { return nil }
    let plain = unquoted(text)
    return plain == text ? nil : plain
  }

  /// Whether a text whose head is lost has the marks of quoted-printable: lines that a `=` breaks off at 76 signs, and
  /// signs by their numbers.
  private static func isQuotedPrintable(_ text: [UInt8]) -> Bool {
    let lines = text.prefix(1 << 16).split(separator: 10).map { line in
      line.last == 13 ? line.dropLast() : line
    }
    let broken = lines.lazy.filter { (70...76).contains($0.count) && $0.last == equals }.count
    return broken >= 2 && lines.allSatisfy { $0.count <= 76 }
      && text.withUnsafeBufferPointer { bytes in
        Array("=3D".utf8).withUnsafeBufferPointer { bytes.offset(of: $0) != nil }
      }
  }

  private static let equals = UInt8(ascii: "=")

  private static func unquoted(_ text: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      guard text[at] == equals else {
        plain.append(text[at])
        at += 1
        continue
      }
      let next = at + 1 < text.count ? text[at + 1] : 10
      if next == 10 {
        at += 2
      } else if next == 13, at + 2 < text.count, text[at + 2] == 10 {
        at += 3
      } else if at + 2 < text.count, next.isHexDigit, text[at + 2].isHexDigit {
        plain.append(next.hexValue << 4 | text[at + 2].hexValue)
        at += 3
      } else {
        plain.append(equals)
        at += 1
      }
    }
    return plain
  }

  /// The first text that stands in a mail as base64, with the lines before it.
  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    guard
      let start = lines.firstIndex(where: { line in
        line.count >= 40 && line.allSatisfy { digit($0) != nil || $0 == 13 || $0 == equals }
      })
    else { return nil }
    var plain = Array(lines[..<start].joined(separator: [10])) + [10]
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in lines[start...].prefix(while: { !$0.isEmpty && $0 != [13] }).joined() {
      guard let digit = digit(byte) else { continue }
      bits = bits << 6 | UInt32(digit)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      plain.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return plain
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit.
  var hexValue: UInt8 { isDigit ? self - 48 : (self | 32) - 87 }
}

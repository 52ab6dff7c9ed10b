/// Decodes a mail: quoted-printable and base64 parts become plain text, and binary attachments are
/// dropped.
struct MailText {
  /// - Returns: nil if the text is no mail with encoded parts.
  static func decoded(_ text: [UInt8]) -> [UInt8]? {
    let head = String(decoding: text.prefix(1 << 14), as: UTF8.self).lowercased()
    guard head.contains("content-transfer-encoding:") else {
      return isQuotedPrintable(text) ? unquoted(text) : nil
    }
    var mail = MailText()
    for line in text.split(separator: 10, omittingEmptySubsequences: false) { mail.take(line) }
    mail.finishPart()
    let plain = Array(mail.lines.joined(separator: [10]))
    return plain == text ? nil : plain
  }

  private enum Encoding { case none, quotedPrintable, base64 }

  /// The lines of the decoded mail.
  private var lines: [ArraySlice<UInt8>] = []
  /// The encoded lines of the current part.
  private var part: [ArraySlice<UInt8>] = []
  private var encoding = Encoding.none
  private var isText = true
  private var isHead = true
  private var isBelowBoundary = false

  private mutating func take(_ line: ArraySlice<UInt8>) {
    let isField = ["Content-", "content-"].contains { line.prefix(8).elementsEqual($0.utf8) }
    if isField, isBelowBoundary {
      finishPart()
      (encoding, isText, isHead) = (.none, true, true)
    }
    isBelowBoundary = line.starts(with: [45, 45])
    if isHead || isField && encoding == .none {
      isHead = !line.allSatisfy(\.isSpace)
      if isField { takeField(String(decoding: line, as: UTF8.self).lowercased()) }
      lines.append(line)
    } else if encoding == .quotedPrintable || encoding == .base64 && Self.isBase64(line) {
      part.append(line)
    } else {
      finishPart()
      encoding = .none
      lines.append(line)
    }
  }

  /// True if the line can be base64. Other text below a base64 part is the rest of the mail.
  private static func isBase64(_ line: ArraySlice<UInt8>) -> Bool {
    !line.allSatisfy(\.isSpace)
      && line.allSatisfy { digit($0) != nil || $0 == equals || $0.isSpace }
  }

  private mutating func takeField(_ field: String) {
    if field.hasPrefix("content-type:") { isText = field.contains("text/") }
    guard field.hasPrefix("content-transfer-encoding:") else { return }
    encoding =
      field.contains("base64")
      ? .base64 : field.contains("quoted-printable") ? .quotedPrintable : .none
  }

  private mutating func finishPart() {
    defer { part = [] }
    guard isText, !part.isEmpty else { return }
    let body = Array(part.joined(separator: [10]))
    lines.append((encoding == .base64 ? Self.base64(body) : Self.unquoted(body))[...])
  }

  /// True if a text without mail headers looks like quoted-printable: a `=` ends lines at 76
  /// characters, and characters are encoded as `=XX`.
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

  private static func base64(_ text: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in text {
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

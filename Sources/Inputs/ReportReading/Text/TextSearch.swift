import CReportText

/// Bytewise search: readers search tens of thousands of frame lines, and the standard library
/// compares grapheme by grapheme.
extension StringProtocol {
  /// The range of the first occurrence of `text`.
  func range(of text: String) -> Range<Index>? { range(of: text, isLast: false) }

  /// The range of the last occurrence of `text`.
  func lastRange(of text: String) -> Range<Index>? { range(of: text, isLast: true) }

  /// The range of the first of `texts` that occurs, in the order of `texts`.
  func range(ofAny texts: some Sequence<String>) -> Range<Index>? {
    texts.lazy.compactMap { range(of: $0) }.first
  }

  func contains(_ text: String) -> Bool { range(of: text) != nil }

  private func range(of text: String, isLast: Bool) -> Range<Index>? {
    let found = withBytes { bytes in
      var text = text
      return text.withUTF8 { bytes.offset(of: $0, isLast: isLast) }
    }
    guard let found else { return nil }
    let start = utf8.index(utf8.startIndex, offsetBy: found)
    return start..<utf8.index(start, offsetBy: text.utf8.count)
  }

  /// Calls `body` with the text's bytes.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
  }

  /// The text without leading and trailing white space.
  var trimmed: String {
    let kept = withBytes { $0.trimmedRange }
    let start = utf8.index(utf8.startIndex, offsetBy: kept.lowerBound)
    return String(self[start..<utf8.index(start, offsetBy: kept.count)])
  }

  /// The name without the offset that follows it, such as ` + 12`.
  var withoutOffset: SubSequence {
    guard let plus = lastRange(of: " + ") else { return self[...] }
    let digits = self[plus.upperBound...].trimmed
    return digits.isEmpty || !digits.utf8.allSatisfy(\.isDigit)
      ? self[...] : self[..<plus.lowerBound]
  }

  /// The text without leading and trailing `signs`, which must be ASCII characters.
  func trimmedOf(_ signs: String) -> String {
    var marks: (low: UInt64, high: UInt64) = (0, 0)
    for sign in signs.utf8 {
      if sign < 64 { marks.low |= 1 << UInt64(sign) } else { marks.high |= 1 << UInt64(sign - 64) }
    }
    let isMark = { (byte: UInt8) in
      byte < 64
        ? marks.low >> UInt64(byte) & 1 == 1
        : byte < 128 && marks.high >> UInt64(byte - 64) & 1 == 1
    }
    return withBytes { bytes in
      var (start, end) = (0, bytes.count)
      while start < end, isMark(bytes[start]) { start += 1 }
      while end > start, isMark(bytes[end - 1]) { end -= 1 }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The offset of the first or last occurrence of `text`.
  func offset(of text: UnsafeBufferPointer<UInt8>, isLast: Bool = false) -> Int? {
    let found = ms_find(baseAddress, count, text.baseAddress, text.count, isLast)
    return found < 0 ? nil : found
  }

  /// The range of the bytes without leading and trailing white space.
  var trimmedRange: Range<Int> {
    var (start, end) = (0, count)
    while start < end, self[start].isSpace { start += 1 }
    while end > start, self[end - 1].isSpace { end -= 1 }
    return start..<end
  }
}

extension UInt8 {
  var isSpace: Bool { self == 32 || (9...13).contains(self) }
  var isDigit: Bool { (48...57).contains(self) }
  var isHexDigit: Bool { isDigit || (97...102).contains(self | 32) }
}

/// Removes log prefixes, HTML entities and Markdown escapes from the lines of a JSON document.
enum JSONWrapping {
  /// - Returns: nil if nothing was removed, or if the text contains no document.
  static func removed(from text: [UInt8]) -> [UInt8]? {
    let head = text.prefix(512)
    guard let open = head.firstIndex(of: UInt8(ascii: "{")),
      head[..<open].allSatisfy({ $0 < 0x80 || mark.contains($0) })
    else { return nil }
    let start = head[..<open].lastIndex { $0 == 10 }.map { $0 + 1 } ?? 0
    let isPage = head.starts(with: Array("<pre>".utf8))
    let isEscaped = hasEscape(text)
    var prefix = text[start..<open].filter { !mark.contains($0) }
    // A brace in the middle of a sentence does not begin a document.
    if !prefix.contains(where: \.isDigit) { prefix = [] }
    let pattern = LinePrefix(prefix)
    guard pattern != nil || isPage || isEscaped else { return nil }
    var lines: [ArraySlice<UInt8>] = []
    for line in text[start...].split(separator: 10, omittingEmptySubsequences: false) {
      var rest = line
      if let pattern {
        guard let bare = pattern.rest(of: line) else {
          if line.allSatisfy(\.isSpace) { continue }
          return nil
        }
        rest = bare
      }
      if isPage, rest.starts(with: Array("</pre>".utf8)) { break }
      lines.append(isPage ? LineCleaner.clean(rest) : isEscaped ? unescaped(rest) : rest)
    }
    // A log line that contains a one-line document is still a log line.
    guard pattern == nil || lines.count > 2 else { return nil }
    let bare = Array(lines.joined(separator: [10]))
    return bare == text ? nil : bare
  }

  private static let mark: Set<UInt8> = [0xef, 0xbb, 0xbf]
  /// Markdown escapes that are invalid in JSON.
  private static let escapes = "_[*#<>".utf8.map { [UInt8(ascii: "\\"), $0] }

  private static func hasEscape(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { text in
      escapes.contains { escape in
        escape.withUnsafeBufferPointer { text.offset(of: $0) != nil }
      }
    }
  }

  private static func unescaped(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var kept: [UInt8] = []
    var at = line.startIndex
    while at < line.endIndex {
      let next = at + 1 < line.endIndex ? line[at + 1] : 0
      if line[at] == 92, next == 92 {
        kept += [92, 92]
        at += 2
      } else {
        if line[at] != 92 || !"_[]*#`<>".utf8.contains(next) { kept.append(line[at]) }
        at += 1
      }
    }
    return kept[...]
  }
}

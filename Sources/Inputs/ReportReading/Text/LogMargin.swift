/// The margin that a quotation, a CI system or a log without process names adds to a line.
enum LogMargin {
  private static let signs = Set("> \t|")
  private static let marks = Array("> \t|".utf8)

  /// The index where the line's own text starts.
  static func end(of line: String) -> String.Index {
    log(of: line) ?? line.drop(while: signs.contains).startIndex
  }

  /// The index after the log's time or tag; nil if there is neither.
  static func log(of line: String) -> String.Index? {
    // Every log prefix of this kind begins with a time.
    let first = line.utf8.first { !marks.contains($0) }
    guard first?.isDigit == true else { return nil }
    let rest = line.drop(while: signs.contains)
    if let end = logcat(rest) { return end }
    let word = rest.prefix { $0 != " " }
    let isTime =
      word.utf8.last == UInt8(ascii: "Z") && word.contains("T")
      && word.utf8.lazy.filter(\.isDigit).count >= 10
    guard isTime else { return nil }
    let text = rest.dropFirst(word.count)
    let start = text.first == " " ? text.index(after: text.startIndex) : text.startIndex
    return stream(text[start...]) ?? start
  }

  /// The index after the name of the stream, which a container runtime and GitLab's runner print below the time:
  /// `stderr F `, `01O `.
  private static func stream(_ text: Substring) -> String.Index? {
    for tag in ["stdout F ", "stderr F ", "stdout P ", "stderr P "] where text.hasPrefix(tag) {
      return text.index(text.startIndex, offsetBy: tag.count)
    }
    let tag = Array(text.utf8.prefix(4))
    guard tag.count == 4, tag[0].isHexDigit, tag[1].isHexDigit, [69, 79].contains(tag[2]),
      [32, 43].contains(tag[3])
    else { return nil }
    return text.index(text.startIndex, offsetBy: 4)
  }

  /// The index after a logcat prefix: `11-20 08:00:00.123  4242  4260 E Tag: `.
  private static func logcat(_ line: Substring) -> String.Index? {
    guard line.utf8.prefix(6).dropFirst(2).first == UInt8(ascii: "-") else { return nil }
    guard let prefix = LogcatPrefix(line), prefix.rest.dropFirst().first == " ",
      let colon = prefix.rest.range(of: ": ")
    else { return nil }
    return colon.upperBound
  }
}

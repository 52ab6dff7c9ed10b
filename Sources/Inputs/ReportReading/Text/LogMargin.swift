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
    return text.first == " " ? text.index(after: text.startIndex) : text.startIndex
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

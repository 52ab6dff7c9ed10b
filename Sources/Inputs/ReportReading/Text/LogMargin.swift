/// The margin that quotations, a CI or a log add to a line without a process name.
enum LogMargin {
  private static let signs = Set("> \t|")
  private static let marks = Array("> \t|".utf8)

  /// The start of the line's own text.
  static func end(of line: String) -> String.Index {
    log(of: line) ?? line.drop(while: signs.contains).startIndex
  }

  /// The start of the text after the time or tag of a log; nil without one.
  static func log(of line: String) -> String.Index? {
    // A log begins with its time.
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

  /// `11-20 08:00:00.123  4242  4260 E Tag: `.
  private static func logcat(_ line: Substring) -> String.Index? {
    guard line.utf8.prefix(6).dropFirst(2).first == UInt8(ascii: "-") else { return nil }
    guard let prefix = LogcatPrefix(line), prefix.rest.dropFirst().first == " ",
      let colon = prefix.rest.range(of: ": ")
    else { return nil }
    return colon.upperBound
  }
}

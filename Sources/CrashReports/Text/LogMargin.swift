/// What quotes, a CI or a log put before a line of text that begins with no process of its own.
enum LogMargin {
  private static let signs = Set("> \t|")

  /// Where the line's own text begins.
  static func end(of line: String) -> String.Index {
    var rest = line.drop(while: signs.contains)
    if let end = logcat(rest) { return end }
    let word = rest.prefix { $0 != " " }
    let isTime = word.contains("T") && word.hasSuffix("Z") && word.filter(\.isNumber).count >= 10
    if isTime { rest = rest.dropFirst(word.count).drop { $0 == " " } }
    return rest.startIndex
  }

  /// `11-20 08:00:00.123  4242  4260 E Tag: `.
  private static func logcat(_ line: Substring) -> String.Index? {
    let words = line.split(separator: " ", maxSplits: 5)
    guard words.count == 6, words[0].contains("-"), words[1].contains(":"), words[4].count == 1,
      Int(words[2]) != nil, Int(words[3]) != nil, let colon = words[5].range(of: ": ")
    else { return nil }
    return colon.upperBound
  }
}

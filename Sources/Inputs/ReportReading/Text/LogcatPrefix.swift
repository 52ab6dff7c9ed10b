/// The prefix of a logcat line: `11-20 08:00:00.123  4242  4260 E Tag: `. The date may include a
/// year, the ids may be written as `4242-4260/org.loom`, and the long format has brackets: `[ 11-20
/// 08:00:00.123  4242: 4260 E/Tag ]`.
struct LogcatPrefix {
  var process: Int
  var thread: Int
  var time: Substring
  /// The level and the text after the level.
  var rest: Substring

  init?(_ line: Substring) {
    var words = line.drop { "> \t|[".contains($0) }.split(separator: " ", maxSplits: 3)
    guard words.count == 4, Self.isDate(words[0]), words[1].contains(":"),
      words[1].first?.isNumber == true
    else { return nil }
    time = words[1]
    let pair = words[2].prefix { $0 != "/" }.split(separator: "-")
    if pair.count == 2, let process = Int(pair[0]), let thread = Int(pair[1]) {
      (self.process, self.thread, rest) = (process, thread, words[3])
      return
    }
    words = words[3].split(separator: " ", maxSplits: 1)
    guard words.count == 2, let process = pair.first.flatMap({ Int($0.prefix { $0 != ":" }) }),
      let thread = Int(words[0])
    else { return nil }
    (self.process, self.thread, rest) = (process, thread, words[1])
  }

  /// True for a date such as `11-20` or `2024-11-20`.
  private static func isDate(_ word: Substring) -> Bool {
    let bytes = Array(word.utf8)
    guard bytes.count == 5 || bytes.count == 10 else { return false }
    return bytes.enumerated().allSatisfy { place, byte in
      [2, 5].contains(bytes.count - 1 - place) ? byte == UInt8(ascii: "-") : byte.isDigit
    }
  }
}

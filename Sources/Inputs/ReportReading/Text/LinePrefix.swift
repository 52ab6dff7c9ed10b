/// The prefix that a log adds to each line of a program: a time, a unit, a process.
struct LinePrefix {
  private let pattern: [UInt8]

  /// - Parameter example: the prefix of one of the lines.
  init?(_ example: some Sequence<UInt8>) {
    pattern = Array(example)
    if pattern.allSatisfy(\.isSpace) { return nil }
  }

  /// The line without its prefix; nil if the line has another prefix. Digits may differ, because
  /// times change.
  func rest(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var at = line.startIndex
    var place = 0
    while place < pattern.count {
      // Logs trim trailing spaces.
      if at == line.endIndex { return pattern[place...].allSatisfy(\.isSpace) ? [] : nil }
      if pattern[place].isDigit, line[at].isDigit {
        while place < pattern.count, pattern[place].isDigit { place += 1 }
        while at < line.endIndex, line[at].isDigit { at += 1 }
      } else {
        guard pattern[place] == line[at] else { return nil }
        place += 1
        at += 1
      }
    }
    return line[at...]
  }
}

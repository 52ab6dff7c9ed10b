/// Puts the lines of the Main Thread Checker together again that a mail or a page has broken.
enum WrappedLines {
  private static let start = Array("Main Thread Checker: UI API called".utf8)
  /// So many pieces a line may be broken into.
  private static let most = 4

  /// - Returns: nil if no such line is broken.
  static func joined(_ text: [UInt8]) -> [UInt8]? {
    let header = Array(MainThreadChecker.header.utf8)
    guard
      find(start, in: text[...]) != nil
        || find(Array("Main Thread Checker: UI\n".utf8), in: text[...]) != nil
    else { return nil }
    var lines = text.split(separator: 10, omittingEmptySubsequences: false)
    var isBroken = false
    var at = 0
    while at < lines.count {
      defer { at += 1 }
      guard find(Array("Main Thread Checker: UI".utf8), in: lines[at]) != nil else { continue }
      let isWhole = { (line: ArraySlice<UInt8>) in
        find(header, in: line) != nil && line.contains(UInt8(ascii: "]"))
      }
      isBroken = join(&lines, at, until: isWhole, before: "PID:") || isBroken
      // The line of the process and the thread goes on up to the stack.
      guard at + 1 < lines.count, find(Array("PID:".utf8), in: lines[at + 1]) != nil else {
        continue
      }
      let isEnded = { (line: ArraySlice<UInt8>) in find(Array("QoS:".utf8), in: line) != nil }
      isBroken = join(&lines, at + 1, until: isEnded, before: "Backtrace") || isBroken
    }
    return isBroken ? Array(lines.joined(separator: [10])) : nil
  }

  /// Appends the lines below a place until it is whole; leaves all as it was where it never is.
  private static func join(
    _ lines: inout [ArraySlice<UInt8>], _ place: Int,
    until isWhole: (ArraySlice<UInt8>) -> Bool, before end: String
  ) -> Bool {
    var whole = lines[place]
    for count in 0..<most {
      if isWhole(whole) {
        lines.replaceSubrange(place...(place + count), with: [whole])
        return count > 0
      }
      let next = place + count + 1
      guard next < lines.count else { return false }
      let rest = lines[next].drop { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: ">") }
      if rest.starts(with: Array(end.utf8)) { return false }
      whole = Array(whole.last == 13 ? whole.dropLast() : whole)[...] + [32] + rest
    }
    return false
  }

  private static func find(_ text: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      text.withUnsafeBufferPointer { bytes.offset(of: $0) }
    }
  }
}

/// Rejoins lines of the Main Thread Checker that a mail or a page wrapped.
enum WrappedLines {
  private static let start = Array("Main Thread Checker: UI API called".utf8)
  /// The maximum number of pieces of a wrapped line.
  private static let most = 4

  /// - Returns: nil if no line of the checker is wrapped.
  static func joined(_ text: [UInt8]) -> [UInt8]? {
    let header = Array(MainThreadChecker.header.utf8)
    guard
      find(start, in: text[...]) != nil
        || find(Array("Main Thread Checker: UI\n".utf8), in: text[...]) != nil
    else { return nil }
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    let isWhole = { (line: ArraySlice<UInt8>) in
      find(header, in: line) != nil && line.contains(UInt8(ascii: "]"))
    }
    let isEnded = { (line: ArraySlice<UInt8>) in find(Array("QoS:".utf8), in: line) != nil }
    var joined: [ArraySlice<UInt8>] = []
    joined.reserveCapacity(lines.count)
    var at = 0
    while at < lines.count {
      let isHeader = find(Array("Main Thread Checker: UI".utf8), in: lines[at]) != nil
      joined.append(isHeader ? join(lines, &at, until: isWhole, before: "PID:") : lines[at])
      at += 1
      // The line with the process and the thread extends to the stack.
      guard isHeader, at < lines.count, find(Array("PID:".utf8), in: lines[at]) != nil else {
        continue
      }
      joined.append(join(lines, &at, until: isEnded, before: "Backtrace"))
      at += 1
    }
    return joined.count < lines.count ? Array(joined.joined(separator: [10])) : nil
  }

  /// Returns the line at `place`, joined with the lines below it until it is complete, and advances
  /// `place` to the last joined line. Returns the line alone if it never becomes complete.
  private static func join(
    _ lines: [ArraySlice<UInt8>], _ place: inout Int,
    until isWhole: (ArraySlice<UInt8>) -> Bool, before end: String
  ) -> ArraySlice<UInt8> {
    let start = place
    var whole = lines[start]
    for next in (start + 1)...(start + most) {
      if isWhole(whole) {
        place = next - 1
        return whole
      }
      guard next < lines.count else { break }
      let rest = lines[next].drop { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: ">") }
      if rest.starts(with: Array(end.utf8)) { break }
      whole = Array(whole.last == 13 ? whole.dropLast() : whole)[...] + [32] + rest
    }
    return lines[start]
  }

  private static func find(_ text: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      text.withUnsafeBufferPointer { bytes.offset(of: $0) }
    }
  }
}

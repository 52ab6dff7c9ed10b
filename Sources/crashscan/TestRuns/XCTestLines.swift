/// A parser of XCTest's lines, which the preloaded library copies. A header line with time and size
/// precedes each line.
struct XCTestLines {
  private var outermost: String?

  /// Removes the first complete entry from `bytes`.
  ///
  /// - Returns: The line, and its time in seconds of the monotonic clock; nil if `bytes` contains no
  ///   complete entry.
  static func takeEntry(from bytes: inout ArraySlice<UInt8>) -> (text: String, time: Double?)? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard head.count == 2, let size = Int(head[1]), size >= 0 else {
      bytes = bytes[(end + 1)...]
      return ("", nil)
    }
    guard bytes.endIndex - end - 1 > size else { return nil }
    let text = String(decoding: bytes[(end + 1)..<(end + 1 + size)], as: UTF8.self)
    bytes = bytes[(end + 2 + size)...]
    return (text, Double(head[0]).map { $0 / 1e9 })
  }

  mutating func event(in text: String) -> TestEvent {
    if text.hasPrefix("Test Case '"), let (name, rest) = Self.quoted(text) {
      let test = TestName(.xcTest, id: name)
      if rest.hasPrefix(" started") { return .started(test) }
      if rest.hasPrefix(" passed") { return .ended(test, .passed) }
      if rest.hasPrefix(" failed") { return .ended(test, .failed) }
      if rest.hasPrefix(" skipped") { return .ended(test, .skipped) }
      return .progressed
    }
    if text.hasPrefix("Test Suite '"), let (name, rest) = Self.quoted(text) {
      if rest.hasPrefix(" started") {
        if outermost == nil { outermost = name }
      } else if name == outermost {
        return .runEnded
      }
      return .progressed
    }
    return Self.failure(text) ?? .progressed
  }

  /// Splits `Test Case 'A.b' started` into the quoted name and the text after the quotes.
  private static func quoted(_ text: String) -> (name: String, rest: Substring)? {
    guard let first = text.firstIndex(of: "'") else { return nil }
    let tail = text[text.index(after: first)...]
    guard let last = tail.firstIndex(of: "'") else { return nil }
    return (String(tail[..<last]), tail[tail.index(after: last)...])
  }

  /// Parses `/path/A.swift:12: error: A.b : the message`.
  private static func failure(_ text: String) -> TestEvent? {
    guard let mark = text.utf8.firstRange(of: ": error: ".utf8) else { return nil }
    let tail = text[mark.upperBound...]
    guard let colon = tail.utf8.firstRange(of: " : ".utf8) else { return nil }
    let name = tail[..<colon.lowerBound]
    guard name.split(separator: ".").count == 2, !name.contains(" ") else { return nil }
    let place = text[..<mark.lowerBound].split(separator: ":")
    let line = place.last.flatMap { Int($0) }
    let file = line == nil ? nil : place.dropLast().joined(separator: ":")
    return .failed(
      TestName(.xcTest, id: String(name)),
      TestIssue(String(tail[colon.upperBound...]), file: file, line: line))
  }
}

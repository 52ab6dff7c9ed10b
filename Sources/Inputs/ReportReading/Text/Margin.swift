/// The margin that a mail, a page or a comment adds to each quoted line: `> `, `// `, ` * `, or an
/// indentation.
enum Margin {
  private static let signs = Set("> \t|/*#;".utf8)

  /// The lines without the margin of the first line that begins with one of `marks`.
  static func removed(
    from lines: [Substring], ofLineWith marks: [String]
  ) -> [Substring] {
    for line in lines.prefix(2000) {
      let margin = line.utf8.prefix { signs.contains($0) }
      guard !margin.isEmpty else { continue }
      let rest = line[margin.endIndex...]
      guard marks.contains(where: rest.hasPrefix) else { continue }
      return lines.map { without(line[..<margin.endIndex], $0) }
    }
    return lines
  }

  private static func without(_ margin: Substring, _ line: Substring) -> Substring {
    if line.hasPrefix(margin) { return line.dropFirst(margin.count) }
    // A blank line may lack the trailing spaces of the margin.
    if margin.hasPrefix(line) || line.trimmed == margin.trimmed { return "" }
    return line
  }

  /// The text without the margin that all of its lines share; nil if a line has no margin. A file
  /// that consists of one comment is a quotation, not source code.
  static func removedFromAll(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    var common: ArraySlice<UInt8>?
    for line in lines {
      let margin = margin(of: line)
      if line[margin.endIndex...].allSatisfy(\.isSpace) { continue }
      let kept = zip(common ?? margin, margin).prefix { $0 == $1 }.count
      common = margin.prefix(kept)
      if kept == 0 { return nil }
    }
    guard let common, !common.isEmpty else { return nil }
    let bare = lines.map { $0.starts(with: common) ? $0.dropFirst(common.count) : [] }
    return Array(bare.joined(separator: [10]))
  }

  /// The leading spaces and quotation characters of a line.
  private static func margin(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = line.startIndex
    while end < line.endIndex {
      var at = end
      while at < line.endIndex, line[at] == 32 || line[at] == 9 { at += 1 }
      if at > end {
        end = at
        continue
      }
      guard let mark = marks.first(where: { line[end...].starts(with: $0) }) else { break }
      let next = end + mark.count
      guard next == line.endIndex || [32, 9, 13, UInt8(ascii: ">")].contains(line[next]) else {
        break
      }
      end = next
    }
    return line[..<end]
  }

  private static let marks = ["//", ">", "*", "#", "|"].map { Array($0.utf8) }
}

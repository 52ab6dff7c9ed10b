/// What a mail or a page puts before every line that it quotes: `> `, or an indent.
enum Margin {
  private static let signs = Set("> \t|/*#;".utf8)

  /// The lines of a text without the margin of the first one that begins with one of `marks`.
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
    // A blank line has lost its margin's end.
    if margin.hasPrefix(line) || line.trimmed == margin.trimmed { return "" }
    return line
  }
}

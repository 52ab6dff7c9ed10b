/// Breaks text into lines of a width.
enum TextLines {
  /// - Parameter limit: How many lines there may be; the last ends in “…” where more is left. 0 is any
  ///   number.
  static func wrap(_ text: String, width: Int, limit: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines += wrap(paragraph, width: limit == 1 ? Int.max : width)
    }
    let allowed = limit == 0 ? lines.count : min(limit, lines.count)
    let isCut = lines.count > allowed
    lines = Array(lines.prefix(allowed))
    guard let last = lines.last, isCut || last.count > width else { return lines }
    lines[lines.count - 1] = String(last.prefix(width - 1)) + "…"
    return lines
  }

  private static func wrap(_ paragraph: Substring, width: Int) -> [String] {
    var lines = [""]
    for word in paragraph.split(separator: " ") {
      var word = word
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word.prefix(width))
      } else if line.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(line) \(word)"
        continue
      } else {
        lines.append(String(word.prefix(width)))
      }
      // A word longer than a line goes on in the next ones.
      word = word.dropFirst(min(width, word.count))
      while !word.isEmpty {
        lines.append(String(word.prefix(width)))
        word = word.dropFirst(min(width, word.count))
      }
    }
    return lines
  }
}

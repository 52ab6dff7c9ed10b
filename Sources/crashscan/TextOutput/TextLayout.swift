/// The layout of text output.
package struct TextLayout: Sendable {
  package var palette: Palette
  /// The width of a line in columns; nil for lines of any length.
  package var width: Int?
  /// The directory to which paths of source files are relative.
  package var baseDirectory: String?

  package init(
    palette: Palette = .plain, width: Int? = nil, baseDirectory: String? = nil
  ) {
    self.palette = palette
    self.width = width
    self.baseDirectory = baseDirectory
  }

  /// Returns a path; within the base directory, relative to that.
  package func path(_ path: String) -> String {
    guard let baseDirectory, baseDirectory != "/", path.hasPrefix(baseDirectory + "/") else {
      return path
    }
    return String(path.dropFirst(baseDirectory.utf8.count + 1))
  }

  /// Returns words after a head, wrapped to the layout's width; further lines are indented by
  /// `indent`.
  package func fill(
    head: VisibleText, headWidth: Int, words: [(text: VisibleText, role: TextRole)], indent: Int
  ) -> VisibleText {
    var filled = head
    var column = headWidth
    var isAtStart = true
    for (word, role) in words {
      let needed = (isAtStart ? 0 : 1) + word.width
      if let width, !isAtStart, column + needed > width {
        filled += "\n"
        filled += .indent(indent)
        column = indent
      } else if !isAtStart {
        filled += " "
        column += 1
      }
      filled += palette(word, role)
      column += word.width
      isAtStart = false
    }
    return filled
  }
}

import TextOutput

/// A line of a screen: pieces of text with their roles and a known width in terminal columns.
package struct ScreenLine: Sendable, Equatable {
  private struct Piece: Sendable, Equatable {
    var text: String
    var role: TextRole
    var cells: Int
  }

  private var pieces: [Piece] = []
  /// The width in terminal columns.
  package private(set) var cells = 0

  package init() {}

  /// Creates a line of one piece; control characters are escaped.
  init(_ text: String, _ role: TextRole = .plain) { add(text, role) }

  mutating func add(_ text: String, _ role: TextRole = .plain) {
    let visible = escapingControls(text)
    let cells =
      visible.utf8.allSatisfy { $0 < 0x80 }
      ? visible.utf8.count
      : visible.reduce(0) { $0 + $1.cells }
    guard !visible.isEmpty else { return }
    pieces.append(Piece(text: visible, role: role, cells: cells))
    self.cells += cells
  }

  /// Adds a column: the text truncated or padded to `width` columns, followed by a space.
  mutating func add(column text: String, _ width: Int, _ role: TextRole = .plain) {
    var column = ScreenLine(text, role)
    column.fit(width)
    pieces += column.pieces
    cells += column.cells
    add(" ")
  }

  mutating func add(_ line: ScreenLine) {
    pieces += line.pieces
    cells += line.cells
  }

  /// Truncates or pads the line to `width` columns.
  mutating func fit(_ width: Int) {
    cut(width)
    if cells < width { add(String(repeating: " ", count: width - cells)) }
  }

  /// Truncates the line to `width` columns, with an ellipsis.
  mutating func cut(_ width: Int) {
    guard cells > width else { return }
    var kept = ScreenLine()
    for piece in pieces {
      if kept.cells + piece.cells < width {
        kept.pieces.append(piece)
        kept.cells += piece.cells
        continue
      }
      var text = ""
      var room = width - kept.cells - 1
      for character in piece.text {
        guard character.cells <= room else { break }
        room -= character.cells
        text.append(character)
      }
      kept.add(text, piece.role)
      if width > 0 { kept.add("…", .quiet) }
      break
    }
    self = kept
  }

  /// The text without its colours.
  package var text: String { pieces.map(\.text).joined() }

  /// Returns the text with the colors of `palette`.
  package func painted(_ palette: Palette) -> String {
    pieces.reduce(into: "") { painted, piece in
      painted += palette(VisibleText(piece.text), piece.role).string
    }
  }
}

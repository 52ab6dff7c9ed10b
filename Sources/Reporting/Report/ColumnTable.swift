/// Rows whose columns stand below each other; a column that is empty everywhere takes no room.
struct ColumnTable {
  private let rows: [[VisibleText]]

  init(_ rows: [[VisibleText]]) { self.rows = rows }

  /// The rows as lines; no column is made wider than a line's half for one long cell.
  func lines(_ layout: TextLayout) -> [VisibleText] {
    let count = rows.map(\.count).max() ?? 0
    let most = (layout.width ?? 120) / 2
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? min($0[column].width, most) : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = VisibleText()
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        if !line.isEmpty { line += "  " }
        line += row[(column + 1)...].allSatisfy(\.isEmpty) ? cell : cell.padded(to: widths[column])
      }
      return line
    }
  }
}

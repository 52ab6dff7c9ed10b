import TextOutput

/// Rows with aligned columns; empty columns are omitted.
struct ColumnTable {
  private let rows: [[VisibleText]]

  init(_ rows: [[VisibleText]]) { self.rows = rows }

  /// Returns the rows as lines, indented by `indent` columns. A single long cell makes its column
  /// at most half a line wide. If the lines are too narrow for the columns, the last column is
  /// wrapped.
  func lines(_ layout: TextLayout, indent: Int = 0) -> [VisibleText] {
    let widths = widths(atMost: (layout.width ?? 120) / 2)
    guard let width = layout.width, let last = widths.lastIndex(where: { $0 > 0 }),
      rows.contains(where: { indent + line($0[...], widths).width > width })
    else { return rows.map { line($0[...], widths) } }
    let head = widths[..<last].reduce(0) { $1 > 0 ? $0 + $1 + 2 : $0 }
    let isNarrow = (indent + head) * 2 > width
    return rows.map { row in
      guard row.count > last, !row[last].isEmpty else { return line(row[...], widths) }
      return layout.fill(
        head: head == 0 ? "" : line(row[..<last], widths, fills: true) + "  ",
        headWidth: indent + head,
        words: row[last].words.filter { !$0.isEmpty }.map { ($0, .plain) },
        indent: isNarrow || head == 0 ? indent + 4 : indent + head)
    }
  }

  private func widths(atMost most: Int) -> [Int] {
    (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { column < $0.count ? min($0[column].width, most) : 0 }.max() ?? 0
    }
  }

  private func line(
    _ row: ArraySlice<VisibleText>, _ widths: [Int], fills: Bool = false
  ) -> VisibleText {
    var line = VisibleText()
    for (column, cell) in zip(row.indices, row) where widths[column] > 0 {
      if !line.isEmpty { line += "  " }
      let isLast = !fills && row[(column + 1)...].allSatisfy(\.isEmpty)
      line += isLast ? cell : cell.padded(to: widths[column])
      if isLast { break }
    }
    return line
  }
}

import Foundation

/// Which line of a table's content each row and header takes.
struct TableLines {
  struct Section {
    let title: String?
    let rows: Int
  }

  var sections: [Section] = []

  var isEmpty: Bool { sections.allSatisfy { $0.rows == 0 } }

  func height(rowHeight: Int) -> Int {
    sections.reduce(0) { $0 + ($1.title == nil ? 0 : 1) + $1.rows * rowHeight }
  }

  /// The rows that are, at least in part, on these lines.
  func rows(in seen: Range<Int>, rowHeight: Int) -> [(indexPath: IndexPath, line: Int)] {
    starts(rowHeight: rowHeight).flatMap { section, start in
      let rows = sections[section].rows
      let first = max(0, (seen.lowerBound - start) / max(rowHeight, 1))
      let end = (seen.upperBound - start + rowHeight - 1) / max(rowHeight, 1)
      return (min(first, rows)..<max(min(first, rows), min(end, rows))).map { row in
        (IndexPath(row: row, section: section), start + row * rowHeight)
      }
    }
  }

  func range(of indexPath: IndexPath, rowHeight: Int) -> Range<Int>? {
    guard sections.indices.contains(indexPath.section),
      (0..<sections[indexPath.section].rows).contains(indexPath.row)
    else { return nil }
    let start = starts(rowHeight: rowHeight)[indexPath.section].line + indexPath.row * rowHeight
    return start..<start + rowHeight
  }

  func headers(rowHeight: Int) -> [(title: String, line: Int)] {
    starts(rowHeight: rowHeight).compactMap { section, line in
      sections[section].title.map { ($0, line - 1) }
    }
  }

  /// The line that each section's first row takes.
  private func starts(rowHeight: Int) -> [(section: Int, line: Int)] {
    var line = 0
    return sections.enumerated().map { index, section in
      line += section.title == nil ? 0 : 1
      defer { line += section.rows * rowHeight }
      return (index, line)
    }
  }
}

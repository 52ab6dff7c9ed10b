public import Foundation
import ThreadAffinity

/// Rows of one height below each other, of which only those that are seen have a cell.
open class TableView: ScrollView, @unchecked Sendable {
  /// How many rows of the screen a row of the table takes.
  @MainQueueBound("TableView.rowHeight") public var rowHeight = 1 {
    didSet { reloadData() }
  }
  /// What is shown where there is no row.
  @MainQueueBound("TableView.emptyText") public var emptyText = ""

  private weak var source: (any TableViewDataSource)?
  private weak var rowListener: (any TableViewDelegate)?
  private var cellTypes: [String: TableViewCell.Type] = [:]
  private var unused: [String: [TableViewCell]] = [:]
  private var shownCells: [IndexPath: TableViewCell] = [:]
  private var headers: [Label] = []
  private var lines = TableLines()

  /// Who says what is shown.
  public var dataSource: (any TableViewDataSource)? {
    get {
      expectMainQueue("TableView.dataSource")
      return source
    }
    set {
      expectMainQueue("TableView.dataSource")
      source = newValue
      reloadData()
    }
  }

  /// Who hears of what happens to rows.
  public var delegate: (any TableViewDelegate)? {
    get {
      expectMainQueue("TableView.delegate")
      return rowListener
    }
    set {
      expectMainQueue("TableView.delegate")
      rowListener = newValue
    }
  }

  // MARK: - Cells

  /// Says which class the cells of an identifier are made from.
  public func register(_ type: TableViewCell.Type, forCellReuseIdentifier identifier: String) {
    expectMainQueue("TableView.register(_:forCellReuseIdentifier:)")
    cellTypes[identifier] = type
  }

  /// A cell that has left the screen, or a new one.
  public func dequeueReusableCell(withIdentifier identifier: String) -> TableViewCell {
    expectMainQueue("TableView.dequeueReusableCell(withIdentifier:)")
    if let cell = unused[identifier]?.popLast() {
      cell.prepareForReuse()
      return cell
    }
    return (cellTypes[identifier] ?? TableViewCell.self).init(reuseIdentifier: identifier)
  }

  /// The cell of a row; nil where the row is not on the screen.
  public func cellForRow(at indexPath: IndexPath) -> TableViewCell? {
    expectMainQueue("TableView.cellForRow(at:)")
    return shownCells[indexPath]
  }

  /// The row that a cell shows; nil where it shows none.
  public func indexPath(for cell: TableViewCell) -> IndexPath? {
    expectMainQueue("TableView.indexPath(for:)")
    return shownCells.first { $0.value === cell }?.key
  }

  /// The rows on the screen, from above.
  public var indexPathsForVisibleRows: [IndexPath] {
    expectMainQueue("TableView.indexPathsForVisibleRows")
    return shownCells.keys.sorted()
  }

  /// The cells on the screen, from above.
  public var visibleCells: [TableViewCell] {
    indexPathsForVisibleRows.compactMap { shownCells[$0] }
  }

  // MARK: - Changes

  /// Asks the data source for everything anew.
  public func reloadData() {
    expectMainQueue("TableView.reloadData()")
    for indexPath in Array(shownCells.keys) { retire(indexPath) }
    countLines()
    setNeedsLayout()
  }

  /// Asks the data source for these rows anew, and for no others.
  public func reloadRows(at indexPaths: [IndexPath]) {
    expectMainQueue("TableView.reloadRows(at:)")
    for indexPath in indexPaths where shownCells[indexPath] != nil { retire(indexPath) }
    setNeedsLayout()
  }

  /// Says that the data source has these rows now; others keep their cells.
  public func insertRows(at indexPaths: [IndexPath]) {
    expectMainQueue("TableView.insertRows(at:)")
    for indexPath in indexPaths.sorted() {
      moveCells { $0.section == indexPath.section && $0.row >= indexPath.row ? 1 : 0 }
    }
    countLines()
    setNeedsLayout()
  }

  /// Says that the data source has these rows no more; others keep their cells.
  public func deleteRows(at indexPaths: [IndexPath]) {
    expectMainQueue("TableView.deleteRows(at:)")
    for indexPath in indexPaths.sorted().reversed() {
      retire(indexPath)
      moveCells { $0.section == indexPath.section && $0.row > indexPath.row ? -1 : 0 }
    }
    countLines()
    setNeedsLayout()
  }

  /// Does what a finger does that taps a row.
  public func selectRow(at indexPath: IndexPath) {
    expectMainQueue("TableView.selectRow(at:)")
    rowListener?.tableView(self, didSelectRowAt: indexPath)
  }

  /// Scrolls as little as brings a row onto the screen.
  public func scrollToRow(at indexPath: IndexPath) {
    expectMainQueue("TableView.scrollToRow(at:)")
    guard let rows = lines.range(of: indexPath, rowHeight: rowHeight) else { return }
    let lowest = rows.upperBound - frame.height
    let y = min(max(contentOffset.y, lowest), rows.lowerBound)
    contentOffset = limited(Point(x: contentOffset.x, y: y))
  }

  // MARK: - Layout

  open override func layoutSubviews() {
    countLines()
    contentSize = Size(width: frame.width, height: lines.height(rowHeight: rowHeight))
    let seen = Rect(origin: contentOffset, size: frame.size)
    let wanted = lines.rows(in: seen.minY..<max(seen.minY, seen.maxY), rowHeight: rowHeight)
    let paths = Set(wanted.map(\.indexPath))
    for indexPath in Array(shownCells.keys) where !paths.contains(indexPath) { retire(indexPath) }
    for row in wanted { show(row.indexPath, at: row.line) }
    layOutHeaders()
  }

  open override func draw(on canvas: Canvas) {
    super.draw(on: canvas)
    if lines.isEmpty { canvas.draw(emptyText.prefix(frame.width), at: .zero) }
  }

  private func show(_ indexPath: IndexPath, at line: Int) {
    let frame = Rect(x: 0, y: line, width: frame.width, height: rowHeight)
    if let cell = shownCells[indexPath] {
      cell.frame = frame
      return
    }
    guard let cell = source?.tableView(self, cellForRowAt: indexPath) else { return }
    cell.frame = frame
    rowListener?.tableView(self, willDisplay: cell, forRowAt: indexPath)
    shownCells[indexPath] = cell
    addSubview(cell)
  }

  private func layOutHeaders() {
    let places = lines.headers(rowHeight: rowHeight)
    // Those that stay are kept: new ones would want to be laid out, and so without end.
    if headers.map(\.text) != places.map(\.title) {
      for header in headers { header.removeFromSuperview() }
      headers = places.map { Label($0.title) }
      for header in headers { addSubview(header) }
    }
    for (header, place) in zip(headers, places) {
      header.frame = Rect(x: 0, y: place.line, width: frame.width, height: 1)
    }
  }

  private func countLines() {
    guard let source else {
      lines = TableLines()
      return
    }
    lines = TableLines(
      sections: (0..<source.numberOfSections(in: self)).map { section in
        TableLines.Section(
          title: source.tableView(self, titleForHeaderInSection: section),
          rows: source.tableView(self, numberOfRowsInSection: section))
      })
  }

  private func retire(_ indexPath: IndexPath) {
    guard let cell = shownCells.removeValue(forKey: indexPath) else { return }
    cell.removeFromSuperview()
    unused[cell.reuseIdentifier, default: []].append(cell)
    rowListener?.tableView(self, didEndDisplaying: cell, forRowAt: indexPath)
  }

  private func moveCells(_ distance: (IndexPath) -> Int) {
    let moved = shownCells.map { indexPath, cell in
      (IndexPath(row: indexPath.row + distance(indexPath), section: indexPath.section), cell)
    }
    shownCells = Dictionary(uniqueKeysWithValues: moved)
  }
}

public import Foundation
public import HeadlessUI

/// The table of operations: says what its rows show, and changes one row at a time.
public final class OperationsTable {
  static let cell = "operation"

  /// The table itself.
  public let view = TableView()
  /// Who hears of taps.
  public weak var delegate: (any OperationsTableDelegate)?

  private let operations: OperationsHandler
  private let clock: any FrameClock

  /// A table of a handler's operations.
  public init(_ operations: OperationsHandler, clock: any FrameClock) {
    self.operations = operations
    self.clock = clock
    view.register(OperationCell.self, forCellReuseIdentifier: Self.cell)
    view.rowHeight = OperationCell.height
    view.emptyText = "No operations yet."
    view.dataSource = self
    view.delegate = self
  }

  /// Whether a bar on the screen is on its way.
  public var isAnimating: Bool {
    view.visibleCells.contains { ($0 as? OperationCell)?.bar.isAnimating == true }
  }

  /// Says that an operation has been added.
  public func insertRow(at indexPath: IndexPath) { view.insertRows(at: [indexPath]) }

  /// Shows what has become of an operation, in its row alone; the bar moves there.
  public func updateRow(at indexPath: IndexPath) { show(indexPath, animatedBy: clock) }

  /// Shows another operation in a row, with nothing of the one that was there before.
  public func replaceRow(at indexPath: IndexPath) { show(indexPath, animatedBy: nil) }

  private func show(_ indexPath: IndexPath, animatedBy clock: (any FrameClock)?) {
    // A row that is not on the screen has no cell; it is shown as it is once it gets there.
    guard let cell = view.cellForRow(at: indexPath) as? OperationCell else { return }
    cell.show(operations.operations[indexPath.row], animatedBy: clock)
  }
}

extension OperationsTable: TableViewDataSource {
  /// A row for each operation.
  public func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    operations.operations.count
  }

  /// A cell that shows the operation as it is, without a bar on its way from another row's.
  public func tableView(
    _ tableView: TableView, cellForRowAt indexPath: IndexPath
  ) -> TableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: Self.cell)
    (cell as? OperationCell)?.show(operations.operations[indexPath.row], animatedBy: nil)
    return cell
  }
}

extension OperationsTable: TableViewDelegate {
  /// Calls the delegate.
  public func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath) {
    delegate?.operationsTable(self, didSelect: indexPath)
  }
}

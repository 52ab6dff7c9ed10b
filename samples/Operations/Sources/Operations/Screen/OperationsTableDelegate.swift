import Foundation

/// Hears what a person does with the table of operations.
public protocol OperationsTableDelegate: AnyObject {
  /// A row was tapped.
  func operationsTable(_ table: OperationsTable, didSelect indexPath: IndexPath)
}

import Synchronization

@testable import Operations

/// Ids that a test can predict: op-1, op-2 and so on.
final class Numbers: Sendable {
  private let last = Atomic(0)

  func next() -> OperationID { OperationID("op-\(last.add(1, ordering: .relaxed).newValue)") }
}

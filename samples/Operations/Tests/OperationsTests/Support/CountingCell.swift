import HeadlessUI

@testable import Operations

/// A row that counts how often it is given something to show, and how often it is laid out.
final class CountingCell: OperationCell, @unchecked Sendable {
  private(set) var shown = 0
  private(set) var layouts = 0

  override func show(_ operation: TrackedOperation, animatedBy clock: (any FrameClock)?) {
    shown += 1
    super.show(operation, animatedBy: clock)
  }

  override func layoutSubviews() {
    layouts += 1
    super.layoutSubviews()
  }
}

import Dispatch
import Synchronization

@testable import Operations

/// Frames that come when the test says so.
final class HeldFrames: FrameClock {
  private let due = Mutex<[@Sendable () -> Void]>([])

  func onNextFrame(_ work: @escaping @Sendable () -> Void) { due.withLock { $0.append(work) } }

  /// Draws the next frame; says whether there was anything to draw.
  @MainActor @discardableResult
  func tick() -> Bool {
    let works = due.withLock { due in
      defer { due = [] }
      return due
    }
    for work in works { work() }
    return !works.isEmpty
  }

  /// Draws until everything stands still.
  @MainActor func finish() { while tick() {} }
}

/// Frames that come as fast as the main queue can draw them.
final class QuickFrames: FrameClock {
  func onNextFrame(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.main.async(execute: work)
  }
}

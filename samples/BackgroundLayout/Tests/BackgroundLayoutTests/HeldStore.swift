import BackgroundLayout
import Synchronization

/// A store that answers when a test says so, on whichever queue that is: a storm's stand-in for the real
/// one, which answers in its own time.
final class HeldStore: PositionSaving {
  private let waiting = Mutex<[@Sendable (Result<Int, any Error>) -> Void]>([])

  func save(
    _ positions: ReadingPositions, completion: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {
    waiting.withLock { $0.append(completion) }
  }

  func load() -> ReadingPositions { ReadingPositions() }

  /// Answers who has waited longest; does nothing where nobody waits.
  func answer() {
    let completion = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    completion?(.success(0))
  }
}

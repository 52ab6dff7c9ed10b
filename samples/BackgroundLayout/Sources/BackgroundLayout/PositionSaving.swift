/// Keeps reading positions from one launch to the next.
public protocol PositionSaving: Sendable {
  /// Saves the positions, and calls back on any queue with how many there are.
  func save(
    _ positions: ReadingPositions, completion: @escaping @Sendable (Result<Int, any Error>) -> Void)

  /// What was saved last; nothing where that cannot be read.
  func load() -> ReadingPositions
}

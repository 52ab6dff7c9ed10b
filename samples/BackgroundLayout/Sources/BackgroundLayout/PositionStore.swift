import Dispatch
public import Foundation
import SampleSupport

/// Keeps reading positions in a file, and writes it on a queue of its own.
public final class PositionStore: PositionSaving {
  private let file: JSONFile<ReadingPositions>
  private let queue = DispatchQueue(label: "com.example.reader.positions")

  /// A store in that file.
  public init(file: URL) { self.file = JSONFile(file) }

  /// Writes the positions, and calls back on the store's queue.
  public func save(
    _ positions: ReadingPositions, completion: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {
    queue.async { [file] in
      completion(
        Result {
          try file.write(positions)
          return positions.count
        })
    }
  }

  /// What was saved last; nothing where that cannot be read.
  public func load() -> ReadingPositions {
    queue.sync { (try? file.read()) ?? ReadingPositions() }
  }
}

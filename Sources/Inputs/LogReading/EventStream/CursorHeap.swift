/// A heap of the open chunks, ordered by the time of their next event.
struct CursorHeap {
  private var cursors: [ChunkCursor] = []

  var isEmpty: Bool { cursors.isEmpty }

  var first: ChunkCursor? { cursors.first }

  /// The cursor that follows the first in the order of time.
  var second: ChunkCursor? {
    switch cursors.count {
    case 0, 1: nil
    case 2: cursors[1]
    default: isBefore(1, 2) ? cursors[1] : cursors[2]
    }
  }

  /// - Complexity: O(log n)
  mutating func insert(_ cursor: ChunkCursor) {
    cursors.append(cursor)
    var at = cursors.count - 1
    while at > 0, isBefore(at, (at - 1) / 2) {
      cursors.swapAt(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  /// - Complexity: O(log n)
  mutating func removeFirst() -> ChunkCursor {
    cursors.swapAt(0, cursors.count - 1)
    let first = cursors.removeLast()
    restoreFirst()
    return first
  }

  /// Restores the heap order after events were taken from the first cursor.
  ///
  /// - Complexity: O(log n)
  mutating func restoreFirst() {
    var at = 0
    while true {
      var least = at
      for child in [2 * at + 1, 2 * at + 2] where child < cursors.count {
        if isBefore(child, least) { least = child }
      }
      if least == at { return }
      cursors.swapAt(at, least)
      at = least
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (cursors[left].ticks ?? .max) < (cursors[right].ticks ?? .max)
  }
}

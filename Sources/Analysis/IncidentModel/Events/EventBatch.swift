/// A sequence of events in the order of time, over which rules fold.
package final class EventBatch {
  /// The maximum number of events in a batch.
  package static let capacity = 4096

  package private(set) var count = 0
  /// The queues to which the events' queue numbers refer, counted from 1.
  package let queues: QueueTable

  let rows: UnsafeMutablePointer<EventRow>
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private var used = 0

  package init(queues: QueueTable) {
    self.queues = queues
    rows = .allocate(capacity: Self.capacity)
  }

  deinit {
    rows.deallocate()
    for block in blocks { block.deallocate() }
  }

  package var isFull: Bool { count == Self.capacity }

  package func removeAll() {
    count = 0
    for block in blocks.dropFirst() { block.deallocate() }
    blocks.removeSubrange(min(1, blocks.count)...)
    used = 0
  }

  /// Returns memory to which the batch's events may point. `fill` gets at least `most` bytes, and
  /// returns the number of bytes that it used.
  package func bytes(most: Int, _ fill: (UnsafeMutableRawPointer) -> Int) -> UnsafeRawPointer {
    if used + most > blocks.last?.count ?? 0 {
      blocks.append(.allocate(byteCount: max(most, 1 << 16), alignment: 8))
      used = 0
    }
    let start = blocks[blocks.count - 1].baseAddress! + used
    used += fill(start)
    return UnsafeRawPointer(start)
  }

  /// The event at `index`, which is below `count`.
  @inline(__always)
  package subscript(index: Int) -> Event { Event(batch: self, index: index) }

  /// Appends an event. The batch must not be full.
  @inline(__always)
  package func append(_ row: EventRow) {
    precondition(count < Self.capacity)
    (rows + count).initialize(to: row)
    count += 1
  }
}

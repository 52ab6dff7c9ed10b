/// A sequence of events in the order of time, which rules fold over.
///
package final class EventBatch {
  /// How many events a batch has room for.
  package static let capacity = 4096

  package private(set) var count = 0
  /// The queues that the events' queue numbers count from 1.
  package let queues: QueueTable

  let rows: UnsafeMutablePointer<EventRow>

  package init(queues: QueueTable) {
    self.queues = queues
    rows = .allocate(capacity: Self.capacity)
  }

  deinit { rows.deallocate() }

  package var isFull: Bool { count == Self.capacity }

  package func removeAll() { count = 0 }

  /// The event at `index`, which is below `count`.
  @inline(__always)
  package subscript(index: Int) -> Event { Event(batch: self, index: index) }

  /// Adds an event; there must be room.
  @inline(__always)
  package func append(_ row: EventRow) {
    precondition(count < Self.capacity)
    (rows + count).initialize(to: row)
    count += 1
  }
}

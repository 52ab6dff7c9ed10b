/// A sequence of events in the order of time, over which rules fold.
package final class EventBatch {
  /// The maximum number of events in a batch.
  package static let capacity = 4096

  package private(set) var count = 0
  /// The queues to which the events' queue numbers refer, counted from 1.
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

  /// Appends an event. The batch must not be full.
  @inline(__always)
  package func append(_ row: EventRow) {
    precondition(count < Self.capacity)
    (rows + count).initialize(to: row)
    count += 1
  }
}

/// A run of events in columns, in the order of time: what rules fold over.
///
/// A source fills one batch again and again. Texts, data and stacks point into the source's own
/// bytes and are valid only while the batch is being looked at; a rule copies what it keeps.
package final class EventBatch {
  /// How many events a batch has room for.
  package static let capacity = 4096

  package internal(set) var count = 0
  /// The queues that the events' `queue` column counts from 1.
  package let queues: QueueTable

  let monotonic: UnsafeMutablePointer<UInt64>
  let wall: UnsafeMutablePointer<UInt64>
  let hop: UnsafeMutablePointer<UInt64>
  let text: UnsafeMutablePointer<UnsafeRawPointer?>
  let frames: UnsafeMutablePointer<UnsafeRawPointer?>
  let thread: UnsafeMutablePointer<UInt32>
  let number: UnsafeMutablePointer<UInt32>
  let queue: UnsafeMutablePointer<UInt32>
  let messageSize: UnsafeMutablePointer<UInt16>
  let dataSize: UnsafeMutablePointer<UInt16>
  let frameCount: UnsafeMutablePointer<UInt16>
  let categorySize: UnsafeMutablePointer<UInt8>
  let kind: UnsafeMutablePointer<CrumbKind>
  let level: UnsafeMutablePointer<CrumbLevel>
  let marks: UnsafeMutablePointer<EventMarks>
  let stackEnd: UnsafeMutablePointer<Stack.End>

  package init(queues: QueueTable) {
    self.queues = queues
    monotonic = .allocate(capacity: Self.capacity)
    wall = .allocate(capacity: Self.capacity)
    hop = .allocate(capacity: Self.capacity)
    text = .allocate(capacity: Self.capacity)
    frames = .allocate(capacity: Self.capacity)
    thread = .allocate(capacity: Self.capacity)
    number = .allocate(capacity: Self.capacity)
    queue = .allocate(capacity: Self.capacity)
    messageSize = .allocate(capacity: Self.capacity)
    dataSize = .allocate(capacity: Self.capacity)
    frameCount = .allocate(capacity: Self.capacity)
    categorySize = .allocate(capacity: Self.capacity)
    kind = .allocate(capacity: Self.capacity)
    level = .allocate(capacity: Self.capacity)
    marks = .allocate(capacity: Self.capacity)
    stackEnd = .allocate(capacity: Self.capacity)
  }

  deinit {
    monotonic.deallocate()
    wall.deallocate()
    hop.deallocate()
    text.deallocate()
    frames.deallocate()
    thread.deallocate()
    number.deallocate()
    queue.deallocate()
    messageSize.deallocate()
    dataSize.deallocate()
    frameCount.deallocate()
    categorySize.deallocate()
    kind.deallocate()
    level.deallocate()
    marks.deallocate()
    stackEnd.deallocate()
  }

  package var isFull: Bool { count == Self.capacity }

  package func removeAll() { count = 0 }

  /// The event at `index`, which is below `count`.
  @inline(__always)
  package subscript(index: Int) -> Event { Event(batch: self, index: index) }

  /// Adds an event; there must be room.
  @inline(__always)
  package func append(_ row: EventRow) {
    precondition(count < Self.capacity)
    let at = count
    monotonic[at] = row.monotonic
    wall[at] = row.wall
    hop[at] = row.hop
    text[at] = row.text
    frames[at] = row.frames
    thread[at] = row.thread
    number[at] = row.number
    queue[at] = row.queue
    messageSize[at] = row.messageSize
    dataSize[at] = row.dataSize
    frameCount[at] = row.frameCount
    categorySize[at] = row.categorySize
    kind[at] = row.kind
    level[at] = row.level
    marks[at] = row.marks
    stackEnd[at] = row.stackEnd
    count = at + 1
  }
}

import CLogFormat
import IncidentModel

/// The events of a log as a stream. Only chunks whose times overlap are in memory at the same time.
package final class LogEvents: EventSource {
  package let queues = QueueTable()
  package let format = "breadcrumbs"
  package let process: Incident.Process?
  package let recording: String
  package let modules: [SeenModule]
  package let losses: Incident.Losses
  package let ending: RunEnding
  package let crash: Crash?
  package let signs: RunSigns
  package private(set) var threads: [Int: IncidentThread] = [:]
  package private(set) var unread: [Unread]

  private let reader: LogReader
  private let clock: LogClock
  /// The chunks that are not open yet, in descending order of their start times.
  private var waiting: [ChunkPlace]
  private var open = CursorHeap()
  /// Finished chunks to which the events of the current batch still point.
  private var spent: [ChunkCursor] = []

  // The recorder reads a crumb's time before the crumb's chunk starts, so the crumb may be earlier
  // than its chunk by up to this many ticks.
  private let slack: UInt64 = 1 << 24

  init(
    reader: LogReader, clock: LogClock, facts: LogFacts, modules: [SeenModule],
    chunks: [ChunkPlace], unread: [Unread]
  ) {
    self.reader = reader
    self.clock = clock
    self.modules = modules
    self.unread = unread
    process = facts.process
    recording = facts.recording
    ending = facts.ending
    losses = facts.losses
    crash = facts.crash
    signs = facts.signs
    waiting = chunks.sorted { $0.begun > $1.begun }
  }

  package func next(into batch: EventBatch) throws(LogReadingError) -> Bool {
    spent.removeAll()
    batch.removeAll()
    // Exclusive ownership avoids an exclusivity check at each access.
    var heap = CursorHeap()
    swap(&heap, &open)
    defer { swap(&heap, &open) }
    while !batch.isFull {
      try openDue(&heap)
      guard let first = heap.first else { break }
      first.take(upTo: limit(heap), into: batch)
      if first.ticks == nil { spent.append(heap.removeFirst()) } else { heap.restoreFirst() }
    }
    return batch.count > 0
  }

  /// The latest time up to which the first cursor's events precede the events of all other chunks.
  private func limit(_ heap: CursorHeap) -> UInt64 {
    let unopened = waiting.last.map { $0.begun - min($0.begun, slack) } ?? UInt64.max
    return max(min(heap.second?.ticks ?? UInt64.max, unopened), heap.first?.ticks ?? 0)
  }

  /// Opens every chunk that may contain the next event.
  private func openDue(_ heap: inout CursorHeap) throws(LogReadingError) {
    while let place = waiting.last {
      let next = heap.first?.ticks ?? UInt64.max
      if !heap.isEmpty, place.begun > next, place.begun - next > slack { return }
      waiting.removeLast()
      guard let chunk = try reader.load(place) else { continue }
      let cursor = ChunkCursor(chunk, clock: clock, queues: queues)
      for thread in cursor.threads { threads[thread.ordinal] = thread }
      unread += cursor.unread.prefix(max(0, 10_000 - unread.count))
      if cursor.ticks != nil { heap.insert(cursor) }
    }
  }
}

/// The offset, the generation and the start time of a chunk.
struct ChunkPlace {
  let start: UInt64
  let generation: UInt64
  let begun: UInt64
}

/// The facts in a log's header.
struct LogFacts {
  var process: Incident.Process?
  var recording: String
  var ending: RunEnding
  var losses: Incident.Losses
  var crash: Crash?
  var signs: RunSigns
}

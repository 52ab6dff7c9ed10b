import CLogFormat
import IncidentModel

/// A cursor over the events of one chunk in the order of time.
final class ChunkCursor {
  private let chunk: LoadedChunk
  private let clock: LogClock
  private var pace: LogClock.Pace
  private var places: [CrumbPlace] = []
  private var at = 0

  private(set) var threads: [IncidentThread] = []
  private(set) var unread: [Unread]

  init(_ chunk: LoadedChunk, clock: LogClock, queues: QueueTable) {
    self.chunk = chunk
    self.clock = clock
    pace = clock.pace(at: chunk.header.begun)
    unread = chunk.scanned.unread
    index(RecordDecoder(bytes: chunk.bytes, clock: clock), queues)
    chunk.forgetRecords()
  }

  /// The time of the next event in ticks; nil after the last event.
  var ticks: UInt64? { at < places.count ? places[at].ticks : nil }

  /// Moves events up to the time `limit` into `batch`, until the batch is full.
  func take(upTo limit: UInt64, into batch: EventBatch) {
    let base = chunk.bytes.baseAddress!
    var pace = pace
    at = places.withUnsafeBufferPointer { [at] places in
      var next = at
      while next < places.count, places[next].ticks <= limit, !batch.isFull {
        let place = places[next]
        if !pace.covers(place.ticks) { pace = clock.pace(at: place.ticks) }
        CrumbIndex.add(place, in: base, pace.time(at: place.ticks), to: batch)
        next += 1
      }
      return next
    }
    self.pace = pace
  }

  private func index(_ decoder: RecordDecoder, _ queues: QueueTable) {
    var crumbs = CrumbIndex(queues)
    places.reserveCapacity(chunk.scanned.records.count)
    for record in chunk.scanned.records where !add(record, decoder, &crumbs) {
      unread.append(chunk.refusal(of: record))
    }
    order()
  }

  /// Adds a record. Returns false if the record is invalid.
  private func add(
    _ record: WholeRecord, _ decoder: RecordDecoder, _ crumbs: inout CrumbIndex
  ) -> Bool {
    switch record.type {
    case MS_RECORD_CRUMB.rawValue:
      guard let place = crumbs.place(of: record, in: chunk.bytes) else { return false }
      places.append(place)
    case MS_RECORD_BRIEF.rawValue:
      guard let place = crumbs.place(ofBrief: record, in: chunk.bytes) else { return false }
      places.append(place)
    case MS_RECORD_TEMPLATE.rawValue: return crumbs.addTemplate(record)
    case MS_RECORD_QUEUE.rawValue: return crumbs.addQueue(record, decoder)
    case MS_RECORD_STACK.rawValue: return crumbs.addStack(record, decoder)
    case MS_RECORD_THREAD.rawValue:
      guard let thread = decoder.thread(record) else { return false }
      threads.append(thread)
    default: return false
    }
    return true
  }

  /// Sorts the crumbs by time: a signal handler's crumb may precede the earlier crumb that it
  /// interrupted.
  private func order() {
    let isOrdered = zip(places, places.dropFirst()).allSatisfy { $0.ticks <= $1.ticks }
    if !isOrdered { places.sort { ($0.ticks, $0.offset) < ($1.ticks, $1.offset) } }
  }
}

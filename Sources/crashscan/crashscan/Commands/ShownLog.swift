import LogReading
import CrashscanOutput
import IncidentModel

/// The shown part of a log. It is read from the file as often as necessary, so that memory stays small for a
/// log of any length.
struct ShownLog {
  /// All but the crumbs: of these only the last, and one for each queue and sought category.
  let incident: Incident
  /// One shown crumb for each thread on each queue, which determine the widths of the columns.
  private(set) var samples: [Crumb] = []

  private struct Place: Hashable {
    var thread: Int
    var queue: UInt32
  }

  private let reader: LogReader
  private let matcher: CrumbSelection.Matcher
  /// How many of those that match are older than the newest that are wanted.
  private var skipped = 0

  init(_ reader: LogReader, _ selection: CrumbSelection) throws {
    self.reader = reader
    incident = try Self.overview(reader, selection.categories)
    matcher = selection.matcher(for: incident)
    var places: [Place: Crumb] = [:]
    var count = 0
    _ = try Self.forEachBatch(reader) { batch in
      for index in 0..<batch.count where matcher.matches(batch[index]) {
        count += 1
        let event = batch[index]
        let place = Place(thread: event.thread, queue: event.queueNumber)
        if places[place] == nil { places[place] = Crumb(event) }
      }
    }
    samples = Array(places.values)
    skipped = selection.last.map { max(0, count - $0) } ?? 0
  }

  /// Hands over the shown crumbs, some at a time.
  func forEach(_ body: ([Crumb]) -> Void) throws {
    var toSkip = skipped
    _ = try Self.forEachBatch(reader) { batch in
      var crumbs: [Crumb] = []
      for index in 0..<batch.count where matcher.matches(batch[index]) {
        if toSkip > 0 { toSkip -= 1 } else { crumbs.append(Crumb(batch[index])) }
      }
      body(crumbs)
    }
  }

  /// All that a log tells beside its crumbs.
  static func overview(
    _ reader: LogReader, _ sought: [String] = []
  ) throws(LogReadingError) -> Incident {
    var queues: [UInt32: Crumb] = [:]
    var found: [String: Crumb] = [:]
    var last: Crumb?
    let events = try forEachBatch(reader) { batch in
      for index in 0..<batch.count {
        let event = batch[index]
        if queues[event.queueNumber] == nil { queues[event.queueNumber] = Crumb(event) }
        for category in sought where found[category] == nil && event.matches(category: category) {
          found[category] = Crumb(event)
        }
      }
      if batch.count > 0 { last = Crumb(batch[batch.count - 1]) }
    }
    return Incident(
      events, crumbs: Array(queues.values) + Array(found.values) + (last.map { [$0] } ?? []),
      notes: reader.notes)
  }

  private static func forEachBatch(
    _ reader: LogReader, _ body: (EventBatch) -> Void
  ) throws(LogReadingError) -> LogEvents {
    let events = try reader.events()
    let batch = EventBatch(queues: events.queues)
    while try events.next(into: batch) { body(batch) }
    return events
  }
}

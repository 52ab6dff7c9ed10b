import LogReading
import CrashscanOutput
import IncidentModel

/// The selected part of a log. It is read from the file each time, so that a log of any length
/// needs little memory.
struct ShownLog {
  /// The incident with only a few crumbs: the last one, and one for each queue and requested
  /// category.
  let incident: Incident
  /// A selected crumb of each thread on each queue; these crumbs determine the column widths.
  private(set) var samples: [Crumb] = []

  private struct Place: Hashable {
    var thread: Int
    var queue: UInt32
  }

  private let reader: LogReader
  private let matcher: CrumbSelection.Matcher
  /// The number of matching crumbs to skip before the newest ones.
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

  /// Passes the selected crumbs to `body`, in batches.
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

  /// Reads everything in a log except most of its crumbs.
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

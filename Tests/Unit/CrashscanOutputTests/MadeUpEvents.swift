import IncidentModel

/// Crumbs that no process left, as a stream of events.
final class MadeUpEvents: EventSource {
  let queues = QueueTable()
  let format = "test"
  let recording = "1"
  let process: Incident.Process? = nil
  let modules: [SeenModule] = []
  let crash: Crash? = nil
  let threads: [Int: IncidentThread] = [:]
  let ending = RunEnding.clean
  let losses: Incident.Losses
  let unread: [Unread] = []

  private let events: [EventBytes]
  private var at = 0

  /// - Parameter crumbs: in the order of time.
  init(_ crumbs: [Crumb] = [], losses: Incident.Losses = Incident.Losses()) {
    self.losses = losses
    events = crumbs.map { crumb in
      var row = EventRow()
      row.monotonic = crumb.monotonic
      row.wall = crumb.wall
      row.thread = UInt32(truncatingIfNeeded: crumb.thread)
      row.number = crumb.number
      row.kind = crumb.kind
      row.level = crumb.level
      return EventBytes(
        row, category: crumb.category, message: crumb.message, data: crumb.data, frames: [])
    }
  }

  func next(into batch: EventBatch) -> Bool {
    batch.removeAll()
    while at < events.count, !batch.isFull {
      batch.append(events[at].row)
      at += 1
    }
    return batch.count > 0
  }
}

/// An incident that was read as a whole, as a stream of events: so that rules judge it as they judge
/// a log.
package final class IncidentEvents: EventSource {
  package let queues = QueueTable()
  package let format: String
  package let recording: String
  package let process: Incident.Process?
  package let modules: [SeenModule]
  package let crash: Crash?
  package let threads: [Int: IncidentThread]
  package let ending: RunEnding
  package let losses: Incident.Losses
  package let unread: [Unread]

  private let crumbs: [Crumb]
  private var at = 0
  /// The texts and stacks of the batch that was filled last.
  private var arena = EventArena()

  /// - Parameters:
  ///   - incident: its crumbs in the order of time.
  ///   - format: what kind of input it comes from.
  ///   - recording: tells it from every other; the same at each reading of it.
  package init(_ incident: Incident, format: String, recording: String) {
    self.format = format
    self.recording = recording
    process = incident.process
    modules = incident.modules
    crash = incident.crash
    threads = incident.threads
    ending = incident.ending
    losses = incident.losses
    unread = incident.unread
    crumbs = incident.crumbs
  }

  package func next(into batch: EventBatch) -> Bool {
    batch.removeAll()
    arena = EventArena()
    while at < crumbs.count, !batch.isFull {
      batch.append(row(crumbs[at]))
      at += 1
    }
    return batch.count > 0
  }

  private func row(_ crumb: Crumb) -> EventRow {
    var row = arena.row(category: crumb.category, message: crumb.message, data: crumb.data)
    row.monotonic = crumb.monotonic
    row.wall = crumb.wall
    row.hop = crumb.hop ?? 0
    row.thread = UInt32(truncatingIfNeeded: crumb.thread)
    row.number = crumb.number
    row.queue = crumb.queue.map { queues.number(of: $0) } ?? 0
    row.kind = crumb.kind
    row.level = crumb.level
    row.marks = marks(of: crumb)
    if let stack = crumb.stack {
      row.frames = arena.frames(stack.frames)
      row.frameCount = UInt16(clamping: stack.frames.count)
      row.stackEnd = stack.end
      if case .instruction? = stack.frames.first { row.marks.insert(.firstIsInstruction) }
    }
    return row
  }

  private func marks(of crumb: Crumb) -> EventMarks {
    var marks: EventMarks = []
    switch crumb.onMain {
    case .yes: marks.insert(.onMain)
    case .unknown: marks.insert(.mainUnknown)
    case .no: break
    }
    if crumb.hop != nil { marks.insert(.hasHop) }
    if crumb.isMessageCut { marks.insert(.messageCut) }
    if crumb.isDataCut { marks.insert(.dataCut) }
    if crumb.isInterrupting { marks.insert(.interrupting) }
    return marks
  }
}

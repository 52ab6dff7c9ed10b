import IncidentModel

/// A report as an event source: its crumbs in order, then its failure.
final class ReportEvents: EventSource {
  let queues = QueueTable()
  let format: String
  let isForeignReport = true
  let process: Incident.Process?
  let recording: String
  let modules: [SeenModule] = []
  let crash: Crash?
  let threads: [Int: IncidentThread]
  let ending: RunEnding
  let losses = Incident.Losses()
  let unread: [Unread]
  let names: FrameNames?
  let subject: IncidentSubject?
  let hungThreads: [CrashThread]
  let signs: RunSigns

  private let events: [EventBytes]
  private var at = 0

  /// - Parameters:
  ///   - report: The parsed report.
  ///   - recording: An id that is unique among all reports.
  init(_ report: CrashReport, recording: String) {
    self.recording = recording
    format = report.format.rawValue
    process = Incident.Process(
      id: report.processID, executable: report.process, openedWall: 0, openedMonotonic: 0)
    unread = report.unread
    var timeline = Timeline(report)
    var builder = EventBuilder(report, queues: queues)
    var events = report.crumbs.map { builder.event(of: $0, at: timeline.time(of: $0)) }
    let end = timeline.end
    if let hang = report.hang { events.append(builder.event(of: hang, at: end)) }
    events += report.violations.map { builder.event(of: $0, at: end) }
    if let failure = report.failure, !failure.isFatal,
      !failure.title.isEmpty || !failure.texts.isEmpty
    {
      events.append(builder.event(of: failure, at: end))
    }
    self.events = events
    crash = builder.crash(at: end)
    hungThreads =
      crash == nil && report.showsWaits ? report.threads.map { builder.thread($0) } : []
    names = builder.names
    threads = builder.threads
    subject = builder.subject
    ending = .reported
    var signs = RunSigns()
    signs.unexplainedHang = report.unexplainedHang
    signs.toldHang = report.toldHang
    signs.standstill = report.standstill
    signs.starvedPool = report.starvedPool.map { pool in
      StarvedPool(name: pool.name, threads: pool.threads.map(builder.ordinal))
    }
    signs.hasUntoldLocks = report.hasUntoldLocks
    signs.isSurvived = report.failure?.endsProcess == false
    signs.toldRace = report.toldRace
    signs.toldRaceBy = report.toldRaceBy
    signs.isInBackground = report.isInBackground
    self.signs = signs
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

extension CrashReport {
  /// True if rules compare the waits of the report's threads.
  fileprivate var showsWaits: Bool {
    hang != nil || standstill != nil || starvedPool != nil || toldRace != nil
      || threads.contains { $0.waitsFor != nil }
      || hasUntoldLocks && failure?.isFatal != true
  }
}

/// The times of a report's events, in the order of the report. Events without a time get only an
/// order.
private struct Timeline {
  private var last: UInt64
  private let close: UInt64

  init(_ report: CrashReport) {
    last = report.crumbs.lazy.compactMap(\.wall).first ?? report.wall
    close = report.wall
  }

  mutating func time(of crumb: CrashReport.Crumb) -> EventTime {
    last = max(last, crumb.wall ?? last)
    return EventTime(order: last, wall: crumb.wall)
  }

  /// The time of the failure, which follows the last crumb.
  var end: EventTime { EventTime(order: max(close, last), wall: close == 0 ? nil : close) }
}

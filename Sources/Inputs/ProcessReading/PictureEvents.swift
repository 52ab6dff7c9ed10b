import Glibc
import IncidentModel

/// An event source for the picture of a process, with the events of the process's breadcrumb log if
/// there is one.
package final class PictureEvents: EventSource {
  package let queues: QueueTable
  package let format: String
  package let process: Incident.Process?
  package let recording: String
  package let modules: [SeenModule]
  package let crash: Crash?
  package let picture: ProcessPicture?
  private let log: (any EventSource)?
  /// The monotonic time after the picture was taken.
  private let seen = now
  private let ownEnding: RunEnding
  private let ownUnread: [Unread]

  /// - Parameters:
  ///   - process: the process of the picture.
  ///   - modules: the modules of the process.
  ///   - crash: the crash that ended the process; nil if it was alive.
  ///   - unread: the missing parts of a core.
  ///   - log: the process's own log. The log also contains the crash if the crash handler could
  /// record it.
  package init(
    of process: some ProcessSource, _ picture: ProcessPicture, modules: [Module],
    crash: Crash? = nil, unread: [Unread] = [], log: (any EventSource)? = nil
  ) {
    self.picture = picture
    self.log = log
    queues = log?.queues ?? QueueTable()
    let isDead = picture.stop == .dead
    format = isDead ? "core" : "process"
    self.process =
      log?.process
      ?? Incident.Process(
        id: process.id, executable: process.executable, openedWall: 0, openedMonotonic: 0)
    recording =
      log?.recording
      ?? "\(format) \(process.id) \(picture.wall)"
    // A library may have been loaded after the log listed the modules; only the log lists a library
    // that was unloaded.
    let seen = log?.modules ?? []
    let known = Set(seen.map(\.module.text))
    self.modules =
      seen + modules.filter { !known.contains($0.text) }.map { SeenModule(module: $0, since: 0) }
    self.crash = log?.crash ?? crash
    ownEnding = crash.map { .crash(signal: $0.signal, .certain) } ?? (isDead ? .reported : .running)
    ownUnread = unread
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  package func next(into batch: EventBatch) throws -> Bool {
    guard let log else {
      batch.removeAll()
      return false
    }
    return try log.next(into: batch)
  }

  package var isRecording: Bool { log != nil }
  package var signs: RunSigns {
    var signs = log?.signs ?? RunSigns()
    // The process was alive at the time of its picture.
    if picture?.stop != .dead { signs.aliveMonotonic = seen }
    return signs
  }
  package var threads: [Int: IncidentThread] { log?.threads ?? [:] }
  package var losses: Incident.Losses { log?.losses ?? Incident.Losses() }
  package var unread: [Unread] { (log?.unread ?? []) + ownUnread }

  package var ending: RunEnding {
    guard let log, crash == nil || log.crash != nil else { return ownEnding }
    return log.ending
  }
}

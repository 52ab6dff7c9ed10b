import BreadcrumbLog
import CrumbViews
import Dispatch
import Glibc
import IncidentModel

/// Reads a log again and again while its process runs.
struct LogFollower {
  private struct Key: Hashable {
    var thread: Int
    var number: UInt32
  }

  private let reader: LogReader
  private let selection: CrumbSelection
  private var known: Set<Key>
  private var isRunning: Bool
  private var pause: UInt64 = LogFollower.shortestPause

  private static let shortestPause: UInt64 = 100_000_000

  init(_ reader: LogReader, after incident: Incident, _ selection: CrumbSelection) {
    self.reader = reader
    self.selection = selection
    known = Self.keys(of: incident)
    isRunning = incident.ending == .running
  }

  /// The log as it is a moment later, and its new crumbs; nil once the process has ended and all
  /// was read, or the person has seen enough.
  mutating func next() throws(LogReadingError) -> (incident: Incident, crumbs: [Crumb])? {
    guard isRunning, !Interruption.hasCome else { return nil }
    usleep(UInt32(clamping: pause / 1000))
    let start = DispatchTime.now().uptimeNanoseconds
    let incident = try reader.read()
    var fresh = incident
    fresh.crumbs.removeAll { known.contains(Key(thread: $0.thread, number: $0.number)) }
    known = Self.keys(of: incident)
    isRunning = incident.ending == .running
    // Reading takes at most a fifth of one core, however large the log is.
    pause = max(Self.shortestPause, 4 * (DispatchTime.now().uptimeNanoseconds - start))
    return (incident, selection.matching(fresh))
  }

  private static func keys(of incident: Incident) -> Set<Key> {
    Set(incident.crumbs.lazy.map { Key(thread: $0.thread, number: $0.number) })
  }
}

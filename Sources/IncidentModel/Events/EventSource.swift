/// An input as a stream: its events in the order of time, then what only the end can tell.
package protocol EventSource: AnyObject {
  var queues: QueueTable { get }
  /// What kind of input it is, as reports name it.
  var format: String { get }
  var process: Incident.Process? { get }
  /// Tells this recording from every other one; the same at each reading of it.
  var recording: String { get }
  /// Code that was mapped, known before the first event.
  var modules: [SeenModule] { get }
  var crash: Crash? { get }

  /// Fills `batch` with the next events; false at the end.
  func next(into batch: EventBatch) throws -> Bool

  // Complete at the end of the stream.

  var threads: [Int: IncidentThread] { get }
  var ending: Incident.Ending { get }
  var losses: Incident.Losses { get }
  var unread: [Unread] { get }
}

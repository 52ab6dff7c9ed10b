/// An input as a stream: its events in the order of time, then what only the end can tell.
package protocol EventSource: AnyObject {
  var queues: QueueTable { get }
  /// The name of the input's format in reports.
  var format: String { get }
  var process: Incident.Process? { get }
  /// An id that distinguishes this recording from every other; the same at each reading.
  var recording: String { get }
  /// Code that was mapped, known before the first event.
  var modules: [SeenModule] { get }
  var crash: Crash? { get }
  /// The other facts about the run in the header.
  var signs: RunSigns { get }
  /// Whether the input is a report of another tool: it tells of one moment, in its own words.
  var isForeignReport: Bool { get }
  /// The names that the input itself contains for its frames; nil if its stacks are addresses in modules.
  var names: FrameNames? { get }
  /// The thread that a report is about; nil for a recording, which is about all of them.
  var subject: IncidentSubject? { get }
  /// The threads of a process that hung and did not die of it, as a report shows them.
  var hungThreads: [CrashThread] { get }
  /// The state of the whole process, if it was read from outside or from a core dump.
  var picture: ProcessPicture? { get }

  /// Fills `batch` with the next events; false at the end.
  func next(into batch: EventBatch) throws -> Bool

  // Complete at the end of the stream.

  var threads: [Int: IncidentThread] { get }
  var ending: RunEnding { get }
  var losses: Incident.Losses { get }
  var unread: [Unread] { get }
}

extension EventSource {
  package var isForeignReport: Bool { false }
  package var names: FrameNames? { nil }
  package var signs: RunSigns { RunSigns() }
  package var subject: IncidentSubject? { nil }
  package var hungThreads: [CrashThread] { [] }
  package var picture: ProcessPicture? { nil }
}

/// The subject of a report: its thread, queue and exception.
package struct IncidentSubject: Sendable {
  package var thread: Finding.ThreadName?
  package var queue: String?
  /// The exception and its reason; empty if the report has none.
  package var text: String

  package init(thread: Finding.ThreadName?, queue: String?, text: String) {
    self.thread = thread
    self.queue = queue
    self.text = text
  }
}

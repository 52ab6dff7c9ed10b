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
  /// What else its header says of the run.
  var signs: RunSigns { get }
  /// Whether the input is a report of another tool: it tells of one moment, in its own words.
  var isForeignReport: Bool { get }
  /// Names that the input itself gives its frames; nil where its stacks are addresses of modules.
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

/// Whom a report is about, and what it says of them.
package struct IncidentSubject: Sendable {
  package var thread: Finding.ThreadName?
  package var queue: String?
  /// The exception and its reason; empty where there is none.
  package var text: String

  package init(thread: Finding.ThreadName?, queue: String?, text: String) {
    self.thread = thread
    self.queue = queue
    self.text = text
  }
}

/// An input as a stream: the events in the order of time, then the facts that are known only at the
/// end.
package protocol EventSource: AnyObject {
  var queues: QueueTable { get }
  /// The name of the input's format in reports.
  var format: String { get }
  var process: Incident.Process? { get }
  /// The id of the recording, the same for each reading: the salt of a log, a hash of a report's
  /// beginning with the report's number, or the process id and time of a picture.
  var recording: String { get }
  /// The code modules that are known before the first event.
  var modules: [SeenModule] { get }
  var crash: Crash? { get }
  /// The facts about the run in the header, besides the ending.
  var signs: RunSigns { get }
  /// True if the input has the events of a breadcrumb log, which covers a run from its start.
  var isRecording: Bool { get }
  /// True if the input is a report of another tool, which describes one moment.
  var isForeignReport: Bool { get }
  /// The frame names in the input; nil if its stacks are addresses in modules.
  var names: FrameNames? { get }
  /// The thread that a report is about; nil for a recording, which covers all threads.
  var subject: IncidentSubject? { get }
  /// The threads of a process that hung without dying, as a report shows them.
  var hungThreads: [CrashThread] { get }
  /// The state of the whole process, if it was read from outside or from a core dump.
  var picture: ProcessPicture? { get }

  /// Fills `batch` with the next events. Returns false at the end of the stream.
  func next(into batch: EventBatch) throws -> Bool

  // These properties are complete only at the end of the stream.

  var threads: [Int: IncidentThread] { get }
  var ending: RunEnding { get }
  var losses: Incident.Losses { get }
  var unread: [Unread] { get }
}

extension EventSource {
  package var isRecording: Bool { format == "breadcrumbs" }
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

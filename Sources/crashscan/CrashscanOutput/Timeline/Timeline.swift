import CrashAnalysis
import IncidentModel

/// The events and final state of one recording.
struct Timeline: Sendable {
  /// A thread at the moment of the crash.
  struct StoppedThread: Sendable {
    var thread: CrashThread
    var frames: [Frame]
  }

  let recording: String
  let columns: TimelineColumns
  let threads: [Int: IncidentThread]
  /// The queues, indexed by their numbers minus 1.
  let queues: [Queue]
  /// The symbolicated stacks of the columns.
  let stacks: [[Frame]]
  let crash: Crash?
  /// The crashed thread, followed by the others; for a report of another tool, all of its threads.
  let stopped: [StoppedThread]
  /// The column indices of the events of each finding, by fingerprint.
  let occurrences: [String: [Int]]
  /// The start of the recording on the monotonic clock; nil if unknown.
  let opened: UInt64?
  let losses: Incident.Losses

  private static let mostStopped = 256

  init(_ columns: TimelineColumns, _ outcome: AnalysisOutcome) {
    let source = outcome.source
    self.columns = columns
    recording = source.recording
    threads = source.threads
    losses = source.losses
    opened = source.process.map(\.openedMonotonic).flatMap { $0 == 0 ? nil : $0 }
    var queues: [Queue] = []
    while let queue = source.queues[UInt32(queues.count + 1)] { queues.append(queue) }
    self.queues = queues
    stacks = columns.stacks.map { outcome.frames($0.frames, when: $0.when) }
    let crash = outcome.crash.flatMap { $0.stage == .recovered ? nil : $0 }
    self.crash = crash
    let stopped = crash.map { [$0.thread].compactMap { $0 } + $0.otherThreads } ?? []
    self.stopped = stopped.prefix(Self.mostStopped).map { thread in
      StoppedThread(
        thread: thread,
        frames: outcome.frames(thread.stack.frames, when: crash?.monotonic ?? 0))
    }
    occurrences = Dictionary(
      outcome.occurrences.map { ($0.fingerprint, $0.events.compactMap(columns.index(ofPlace:))) },
      uniquingKeysWith: +)
  }
}

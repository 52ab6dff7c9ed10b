import CrashAnalysis
import IncidentModel

/// Keeps of one input, while it is analysed, what its timeline shows.
package final class TimelineRecorder: AnalysisWitness {
  private var columns: TimelineColumns
  private(set) var timeline: Timeline?

  /// - Parameter most: how many events are kept at most.
  package init(most: Int = 250_000) {
    var bounds = TimelineColumns.Bounds()
    bounds.events = most
    columns = TimelineColumns(bounds)
  }

  package func observe(_ batch: EventBatch) { columns.append(batch) }

  package func finish(_ outcome: AnalysisOutcome) {
    columns.settle()
    timeline = Timeline(columns, outcome)
  }
}

/// The timelines of all inputs of a report, by recording.
package struct Timelines: Sendable {
  private(set) var byRecording: [String: Timeline] = [:]

  package init() {}

  /// Takes what was recorded; of two timelines of one recording, the one that saw more.
  package mutating func add(_ recorder: TimelineRecorder) {
    guard let timeline = recorder.timeline else { return }
    if let known = byRecording[timeline.recording], known.columns.seen > timeline.columns.seen {
      return
    }
    byRecording[timeline.recording] = timeline
  }
}

import CrashAnalysis
import IncidentModel

/// Collects the data of a timeline while an input is analyzed.
package final class TimelineRecorder: AnalysisWitness {
  private var columns: TimelineColumns
  private(set) var timeline: Timeline?

  /// Creates a recorder.
  ///
  /// - Parameter most: The maximum number of events to keep.
  package init(most: Int = Timelines.mostOfOne) {
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

/// The timelines of a report's inputs, by recording.
package struct Timelines: Sendable {
  /// The maximum numbers of events per recording and in total.
  package static let mostOfOne = 250_000
  private static let mostOfAll = 1_000_000
  /// The number of events that each recording may keep even if the total is exceeded.
  private static let leastOfOne = 1000

  private(set) var byRecording: [String: Timeline] = [:]

  package init() {}

  /// The number of events that the next recording may keep.
  package var room: Int {
    let kept = byRecording.values.reduce(0) { $0 + $1.columns.count }
    return max(Self.leastOfOne, min(Self.mostOfOne, Self.mostOfAll - kept))
  }

  /// Adds a timeline; of two timelines of one recording, the one with more events is kept.
  package mutating func add(_ recorder: TimelineRecorder) {
    guard let timeline = recorder.timeline else { return }
    if let known = byRecording[timeline.recording], known.columns.seen > timeline.columns.seen {
      return
    }
    byRecording[timeline.recording] = timeline
  }
}

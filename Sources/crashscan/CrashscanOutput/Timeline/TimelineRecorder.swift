import CrashAnalysis
import IncidentModel

/// Keeps of one input, while it is analysed, what its timeline shows.
package final class TimelineRecorder: AnalysisWitness {
  private var columns: TimelineColumns
  private(set) var timeline: Timeline?

  /// - Parameter most: how many events are kept at most.
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

/// The timelines of all inputs of a report, by recording.
package struct Timelines: Sendable {
  /// How many events are kept of one recording, and of all.
  package static let mostOfOne = 250_000
  private static let mostOfAll = 1_000_000
  /// However many recordings there are, so many events of each.
  private static let leastOfOne = 1000

  private(set) var byRecording: [String: Timeline] = [:]

  package init() {}

  /// How many events may be kept of the next recording.
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

import IncidentModel
import CLogFormat

/// The lifecycle transitions that bring an app or service to the state that it had at a moment of a
/// log.
package struct LifecycleMoves: Sendable {
  /// The transitions in the syntax of a schedule, starting with an active app.
  package private(set) var words: [String] = []

  /// Creates an empty list, for a process that was always in the foreground.
  package init() {}

  /// Reads a log from its start to a moment, in nanoseconds since 1970.
  package init(_ source: any EventSource, until wall: UInt64) throws {
    let batch = EventBatch(queues: source.queues)
    while try source.next(into: batch) {
      for index in 0..<batch.count where batch[index].wall <= wall { observe(batch[index]) }
      batch.removeAll()
    }
  }

  private mutating func observe(_ event: Event) {
    switch (event.kind, LifecycleStep(event.message)) {
    case (.lifecycle, .didEnterBackground): words = ["background"]
    case (.lifecycle, .willEnterForeground):
      if !words.isEmpty { words = ["background", "foreground"] }
    case (.backgroundTask, _):
      let hasExpired = event.text(MS_KEY_STEP) == MS_WORD_EXPIRED
      if hasExpired, words == ["background"] { words.append("expiration") }
    default: break
    }
  }
}

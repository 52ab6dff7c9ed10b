import IncidentModel
import CLogFormat

/// The moves that bring an app or a service to where it was in its life at a moment of a log.
package struct LifecycleMoves: Sendable {
  /// The moves in the words of a schedule, from the start of an active app on.
  package private(set) var words: [String] = []

  /// None: a process that was in the foreground all the time.
  package init() {}

  /// Reads a log from its start up to the moment, in nanoseconds since 1970.
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

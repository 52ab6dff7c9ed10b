import IncidentModel
import LogWords

/// A main queue that does not answer, as the watch on it recorded.
struct Hang {
  /// Where in the input it was recorded, when, and for how long it had lasted by then.
  let place: Int
  let monotonic: UInt64
  let wall: UInt64
  let lasted: UInt64
  /// Whoever holds the main queue: its kernel id and name, as far as they are known.
  let holder: Finding.ThreadName?
  let frames: [Frame]
  let nearby: [Finding.Nearby]

  /// Nil where the event says that the main queue answers again.
  init?(_ event: Event, in scene: Scene) {
    guard event.kind == .hang, !Self.isEnd(event) else { return nil }
    place = scene.place(of: event)
    monotonic = event.monotonic
    wall = event.wall
    lasted = Self.lasted(event)
    // A report's events are those of the thread they are about, a log's are the watch's.
    let index = scene.source.names == nil ? 0 : event.thread
    holder = event.integer(LogKey.thread).map { id in
      Finding.ThreadName(id: Int(id), index: index, name: event.text(LogKey.threadName) ?? "")
    }
    frames = scene.frames(of: event)
    nearby = scene.nearby(event)
  }

  static func isEnd(_ event: Event) -> Bool {
    event.messageBytes.isEqual(to: LogMessage.answersAgain)
  }

  /// For how long the main queue had not answered, in nanoseconds.
  static func lasted(_ event: Event) -> UInt64 {
    let milliseconds = UInt64(clamping: event.integer(LogKey.milliseconds) ?? 0)
    return milliseconds.multipliedReportingOverflow(by: 1_000_000).partialValue
  }
}

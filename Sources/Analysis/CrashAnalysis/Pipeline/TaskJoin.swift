import IncidentModel
import CLogFormat

/// Joins the crumbs of background tasks; keeps only unfinished tasks.
struct TaskJoin {
  /// An unfinished background task.
  struct Open {
    var name: String
    var id: Int64
    var begun: UInt64
    var wall: UInt64
    var thread: Int
    var queue: String?
    /// The code that began the task.
    var place: CodePlace?
    /// The callback that began the task, if any.
    var callback: CodePlace?
    var expired: UInt64?
  }

  private(set) var open: [Int64: Open] = [:]
  private let most = 4096

  mutating func observe(_ event: Event, in run: RunState) {
    guard let id = event.integer(MS_KEY_TASK),
      let step = event.text(MS_KEY_STEP).flatMap(TaskStep.init)
    else { return }
    switch step {
    case .begin:
      guard open.count < most else { return }
      let reading = run.reading(of: event)
      let starter = reading.starter
      open[id] = Open(
        name: event.message, id: id, begun: event.monotonic, wall: event.wall,
        thread: event.thread, queue: event.queue?.label,
        place: starter?.place, callback: starter.flatMap(reading.callback)?.place)
    case .expired: open[id]?.expired = event.monotonic
    case .end: open[id] = nil
    }
  }

  /// The unfinished tasks, oldest first.
  var inOrder: [Open] { open.values.sorted(by: Self.isBefore) }

  /// The two most recent tasks, older first, which a finding names.
  var newest: [Open] {
    var newest: [Open] = []
    for task in open.values {
      guard newest.count < 2 || Self.isBefore(newest[0], task) else { continue }
      newest.append(task)
      newest.sort(by: Self.isBefore)
      if newest.count > 2 { newest.removeFirst() }
    }
    return newest
  }

  private static func isBefore(_ one: Open, _ other: Open) -> Bool {
    (one.begun, one.id) < (other.begun, other.id)
  }
}

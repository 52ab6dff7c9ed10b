import IncidentModel
import LogWords

/// The tasks that waited when they were last listed: in a hang, in an end that took long.
struct NotedWaits {
  /// What was going on.
  private(set) var during = ""
  private(set) var monotonic: UInt64 = 0
  private(set) var places: [WaitingTasks.Place] = []

  /// A log may be anything.
  private static let most = 64

  static func areTold(by note: Event) -> Bool {
    note.categoryBytes.isEqual(to: LogCategory.waiting)
  }

  mutating func observe(_ note: Event) {
    if note.messageBytes.isEqual(to: LogMessage.tasksWait) {
      self = NotedWaits()
      during = note.text(LogKey.during) ?? ""
    } else if places.count < Self.most, let place = WaitingTasks.Place(note) {
      places.append(place)
    }
    monotonic = note.monotonic
  }
}

extension WaitingTasks.Place {
  /// As a crumb tells of it; nil where that is no such crumb.
  fileprivate init?(_ note: Event) {
    guard let kind = note.text(LogKey.waitsFor).flatMap(WaitingTasks.Kind.init(word:)),
      let tasks = note.integer(LogKey.tasks), let task = note.integer(LogKey.task)
    else { return nil }
    func nanoseconds(_ key: String) -> UInt64 {
      UInt64(clamping: note.integer(key) ?? 0).multipliedReportingOverflow(by: 1_000_000)
        .partialValue
    }
    let type = note.text(LogKey.type) ?? ""
    self.init(
      kind: kind, executor: type.isEmpty ? 0 : 1, type: type, tasks: Int(clamping: tasks),
      oldest: nanoseconds(LogKey.milliseconds), newest: nanoseconds(LogKey.newest),
      task: UInt64(clamping: task), isLoop: note.messageBytes.isEqual(to: LogMessage.waitsAgain),
      stack: Stack(frames: note.frames, end: .complete))
  }
}

import IncidentModel
import CLogFormat

/// The most recent list of waiting tasks, which is recorded during a hang or a slow shutdown.
struct NotedWaits {
  /// The condition during which the tasks were listed.
  private(set) var during = ""
  private(set) var monotonic: UInt64 = 0
  private(set) var places: [WaitingTasks.Place] = []

  /// The maximum number of places, which bounds the memory for malformed logs.
  private static let most = 64

  static func areTold(by note: Event) -> Bool {
    note.categoryBytes.isEqual(to: MS_WORD_WAITING)
  }

  mutating func observe(_ note: Event) {
    if note.messageBytes.isEqual(to: MS_WORD_TASKS_WAIT) {
      self = NotedWaits()
      during = note.text(MS_KEY_DURING) ?? ""
    } else if places.count < Self.most, let place = WaitingTasks.Place(note) {
      places.append(place)
    }
    monotonic = note.monotonic
  }
}

extension WaitingTasks.Place {
  /// Reads a crumb about waiting tasks; nil for other crumbs.
  fileprivate init?(_ note: Event) {
    guard let kind = note.text(MS_KEY_FOR).flatMap(WaitingTasks.Kind.init(word:)),
      let tasks = note.integer(MS_KEY_TASKS), let task = note.integer(MS_KEY_TASK)
    else { return nil }
    self.init(
      kind: kind, executor: note.text(MS_KEY_EXECUTOR) == nil ? 0 : 1, type: "",
      tasks: Int(clamping: tasks), task: UInt64(clamping: task),
      stack: Stack(frames: note.frames, end: .complete))
  }
}

extension WaitingTasks.Place {
  /// A phrase for the resource that the tasks wait for: `for a continuation`.
  var what: String {
    switch kind {
    case .continuation: "for a continuation"
    case .task: "for another task"
    case .group: "for tasks of a group"
    case .turn where executor == 0: "for a thread"
    case .turn: "for \(type.isEmpty ? "an actor" : type)"
    }
  }

  /// The number of waiting tasks and the resource, without task ids.
  var story: String { tasks == 1 ? "a task waited \(what)" : "\(tasks) tasks waited \(what)" }
}

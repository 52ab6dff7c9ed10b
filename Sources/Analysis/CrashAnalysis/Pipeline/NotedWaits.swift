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

  init() {}

  /// Lists the waiting tasks of a picture.
  init(_ picture: TaskPicture, isOfShutdown: Bool) {
    during = isOfShutdown ? MS_WORD_DURING_SHUTDOWN : ""
    monotonic = .max
    var known: [WaitingTasks.Place: Int] = [:]
    for task in picture.tasks {
      guard let place = WaitingTasks.Place(task, in: picture) else { continue }
      var key = place
      key.task = 0
      if let index = known[key] {
        places[index].tasks += 1
      } else {
        known[key] = places.count
        places.append(place)
      }
    }
  }

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
  /// Reads a task of a picture; nil unless the task waits.
  fileprivate init?(_ task: PictureTask, in picture: TaskPicture) {
    let kind: WaitingTasks.Kind
    var (executor, type): (UInt64, String) = (0, "")
    switch task.state {
    case .waiting(.continuation): kind = .continuation
    case .waiting(.task), .waiting(.unknownTask): kind = .task
    case .waiting(.group): kind = .group
    case .enqueued(let awaited):
      kind = .turn
      switch awaited {
      case .pool: break
      case .main: (executor, type) = (1, "the main queue")
      case .actor(let address): (executor, type) = (address, picture.actor(address)?.type ?? "")
      case .custom(let address, let name): (executor, type) = (address, name)
      }
    case .running, .finished, .notStarted, .unknown: return nil
    }
    self.init(
      kind: kind, executor: executor, type: type, tasks: 1, task: task.id, stack: task.stack)
  }

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
}

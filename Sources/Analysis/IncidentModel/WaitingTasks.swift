/// The tasks that were waiting at one moment, as far as the recorder searched the memory.
package struct WaitingTasks: Hashable, Sendable {
  /// The event that a task waits for.
  package enum Kind: UInt8, Sendable {
    case continuation = 0
    case task = 1
    case group = 2
    /// A turn on an actor or on the pool.
    case turn = 3

    /// Creates a kind from its keyword in crumbs.
    package init?(word: String) {
      switch word {
      case "continuation": self = .continuation
      case "task": self = .task
      case "group": self = .group
      case "turn": self = .turn
      default: return nil
      }
    }
  }

  /// Tasks that wait for the same kind of event at the same resume address, with the same async
  /// callers.
  package struct Place: Hashable, Sendable {
    package var kind: Kind
    /// The actor or executor for whose turn the tasks wait; 0 for the pool, and for other kinds of
    /// waits.
    package var executor: UInt64
    /// The type of `executor`; empty if unknown.
    package var type: String
    package var tasks: Int
    /// The lowest id of these tasks.
    package var task: UInt64
    /// The resume addresses of the tasks and their async callers.
    package var stack: Stack

    package init(
      kind: Kind, executor: UInt64, type: String, tasks: Int, task: UInt64, stack: Stack
    ) {
      self.kind = kind
      self.executor = executor
      self.type = type
      self.tasks = tasks
      self.task = task
      self.stack = stack
    }

    /// The number of tasks and the resource: `2 tasks wait for a continuation, the first is task 14`.
    package var words: String {
      tasks == 1
        ? "task \(task) waits for \(what)"
        : "\(tasks) tasks wait for \(what), the first is task \(task)"
    }

    private var what: String {
      switch kind {
      case .continuation: "a continuation"
      case .task: "another task"
      case .group: "tasks of a group"
      case .turn where executor == 0: "a thread"
      case .turn: type.isEmpty ? "an actor" : type
      }
    }
  }

  /// The number of waiting tasks in all places.
  package var tasks: Int
  /// The number of bytes of memory that were not searched in time, including pages without content.
  package var unread: UInt64
  /// The places by descending number of tasks.
  package var places: [Place] = []

  package init(tasks: Int, unread: UInt64) {
    self.tasks = tasks
    self.unread = unread
  }

  /// The number of tasks that wait in unlisted places.
  package var elsewhere: Int { max(0, places.reduce(tasks) { $0 &- $1.tasks }) }

  /// The number of waiting tasks as text: `3 tasks wait`.
  package var words: String {
    switch tasks {
    case 0: "no task waits"
    case 1: "1 task waits"
    default: "\(tasks) tasks wait"
    }
  }

  /// The incompleteness of the search as text; nil if all memory was searched.
  package var gap: String? {
    if unread == 0 { return nil }
    let size = unread >> 20 > 0 ? "\(unread >> 20) MiB" : "\(unread) bytes"
    return "\(size) of memory were not searched in time: more tasks may wait"
  }
}

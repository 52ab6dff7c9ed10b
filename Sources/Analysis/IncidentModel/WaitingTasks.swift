/// The tasks that were waiting at one moment, as far as the recorder tracked them.
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
    /// The longest and the shortest wait of the tasks at this place, in nanoseconds.
    package var oldest: UInt64
    package var newest: UInt64
    /// The id of the task with the longest wait.
    package var task: UInt64
    /// True if every task has waited at this place before, as a loop does that waits for its next
    /// item.
    package var isLoop: Bool
    /// The resume addresses of the tasks and their async callers.
    package var stack: Stack

    package init(
      kind: Kind, executor: UInt64, type: String, tasks: Int, oldest: UInt64, newest: UInt64,
      task: UInt64, isLoop: Bool, stack: Stack
    ) {
      self.kind = kind
      self.executor = executor
      self.type = type
      self.tasks = tasks
      self.oldest = oldest
      self.newest = newest
      self.task = task
      self.isLoop = isLoop
      self.stack = stack
    }

    /// The number of tasks and their ages: `2 tasks wait for a continuation, task 14 for 3.2 s, the
    /// last for 1.1 s`.
    package var words: String {
      let who = tasks == 1 ? "task \(task) waits" : "\(tasks) tasks wait"
      let age = TimeSpan.text(nanoseconds: oldest)
      guard tasks > 1 else { return "\(who) for \(what), \(age) so far" }
      return "\(who) for \(what), task \(task) for \(age), the last for "
        + TimeSpan.text(nanoseconds: newest)
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
  /// The number of waits that were not tracked because the table was full.
  package var missed: UInt64
  /// The places by descending age, with loops last.
  package var places: [Place] = []

  package init(tasks: Int, missed: UInt64) {
    self.tasks = tasks
    self.missed = missed
  }

  /// The number of tasks that wait in unlisted places.
  package var elsewhere: Int { max(0, places.reduce(tasks) { $0 &- $1.tasks }) }

  /// The number of waiting tasks as text: `3 tasks wait`.
  package var words: String {
    switch tasks {
    case 0: "no recorded task waits"
    case 1: "1 task waits"
    default: "\(tasks) tasks wait"
    }
  }
}

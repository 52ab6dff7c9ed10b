/// The tasks that waited at one moment, as far as they were tracked.
package struct WaitingTasks: Hashable, Sendable {
  /// The event that a task waits for.
  package enum Kind: UInt8, Sendable {
    case continuation = 0
    case task = 1
    case group = 2
    /// Its turn: on an actor, or on any thread.
    case turn = 3

    /// Creates a kind from the word in crumbs.
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

  /// Tasks that wait for the same and go on in one place, with the same callers.
  package struct Place: Hashable, Sendable {
    package var kind: Kind
    /// Whose turn they wait for; 0 for any thread, and where they wait for something else.
    package var executor: UInt64
    /// The type of that actor or executor; empty if unknown.
    package var type: String
    package var tasks: Int
    /// For how long they have waited, in nanoseconds.
    package var oldest: UInt64
    package var newest: UInt64
    /// The id of the one that has waited longest.
    package var task: UInt64
    /// True if each of them has waited there before: a loop that waits for its next item.
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

    /// The number of tasks and their ages: `2 tasks wait for a continuation, task 14 for 3.2 s, the last for
    /// 1.1 s`.
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

  /// How many wait, in all places.
  package var tasks: Int
  /// How often a task found no room where it began to wait: whether it waits is not known.
  package var missed: UInt64
  /// Loops last, else the oldest first.
  package var places: [Place] = []

  package init(tasks: Int, missed: UInt64) {
    self.tasks = tasks
    self.missed = missed
  }

  /// How many of them wait in places that are not listed.
  package var elsewhere: Int { max(0, places.reduce(tasks) { $0 &- $1.tasks }) }

  /// How many wait: `3 tasks wait`.
  package var words: String {
    switch tasks {
    case 0: "no task waits, of those that were noted"
    case 1: "1 task waits"
    default: "\(tasks) tasks wait"
    }
  }
}

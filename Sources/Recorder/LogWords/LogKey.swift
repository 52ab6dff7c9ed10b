/// The keys under which crumbs of our own carry their values.
///
/// Public, and its members inlinable, as the optimizer then folds them into the recorder like literals; no product
/// has this module.
public enum LogKey {
  // MARK: Violations

  /// Where the code should have run.
  @inlinable public static var expected: String { "expected" }
  /// How often this call site has broken its affinity.
  @inlinable public static var occurrence: String { "occurrence" }
  /// Whether it is certain.
  @inlinable public static var certain: String { "certain" }
  /// Whether it is one of UI work.
  @inlinable public static var isUIWork: String { "ui" }
  /// The name of the Swift task it came in.
  @inlinable public static var taskName: String { "taskName" }
  /// The number of the task whose child that one is.
  /// Who ran on the actor where the code should have run: `thread 41, task 7`.
  /// Where the code was sent from, as `OriginText` has it.
  @inlinable public static var origin: String { "origin" }
  /// The stack of the origin before it.
  @inlinable public static var originStack: String { "originStack" }

  // MARK: Places in the source

  /// The file and the line.
  @inlinable public static var site: String { "at" }
  /// The function.
  @inlinable public static var function: String { "in" }
  /// Whether an access that is watched was a write.
  @inlinable public static var isWrite: String { "write" }

  // MARK: Hops and tasks

  /// What its author calls a hop, or what is watched.
  @inlinable public static var name: String { "name" }
  /// Which hop it is, and who its target is.
  @inlinable public static var objects: String { "objects" }
  /// How long a hop or UI work took.
  @inlinable public static var nanoseconds: String { "nanoseconds" }
  /// The number of a task: a background task's, or that of the Swift task a violation came in or that
  /// waits longest.
  @inlinable public static var task: String { "task" }
  /// Where a background task is, as `TaskStep` has it.
  @inlinable public static var step: String { "step" }

  // MARK: Tasks that wait

  /// How many tasks wait.
  @inlinable public static var tasks: String { "tasks" }
  /// In how many places.
  @inlinable public static var places: String { "places" }
  /// How often a task found no room where it began to wait; or how many hangs were left out before this one.
  @inlinable public static var missed: String { "missed" }
  /// For how long the task has waited that came last.
  @inlinable public static var newest: String { "newest" }
  /// What went on when they were listed.
  @inlinable public static var during: String { "during" }
  /// What they wait for: `continuation`, `task`, `group`, `turn`.
  @inlinable public static var waitsFor: String { "for" }
  /// Where it waits, as those who look on are told.
  @inlinable public static var waitsIn: String { "in" }
  /// The type of the actor whose turn they wait for.
  @inlinable public static var type: String { "type" }

  // MARK: Calls that block

  /// Whose thread was blocked: the pool's, an event loop's, the main queue's.
  @inlinable public static var executor: String { "executor" }

  // MARK: Calls of a toolkit

  /// What a toolkit's list calls it.
  @inlinable public static var toolkit: String { "toolkit" }
  /// How many calls of it were looked at.
  @inlinable public static var calls: String { "calls" }
  /// The thread that it belongs to.
  @inlinable public static var owner: String { "owner" }
  /// Its name.
  @inlinable public static var ownerName: String { "ownerName" }
  /// A frame of the interpreter's, as `app.py:12 work`; the innermost first.
  @inlinable public static var script: String { "script" }
  /// The thread that started the one which called.
  @inlinable public static var startedBy: String { "startedBy" }
  /// That thread's stack, as `OriginText` writes stacks.
  @inlinable public static var startedStack: String { "startedStack" }
  /// That thread's frames of the interpreter's.
  @inlinable public static var startedScript: String { "startedScript" }
  /// The thread that queued what the one runs which called.
  @inlinable public static var queuedBy: String { "queuedBy" }
  /// That thread's stack.
  @inlinable public static var queuedStack: String { "queuedStack" }

  // MARK: The process

  /// The signal that told it.
  @inlinable public static var signal: String { "signal" }
  /// The process that sent the signal.
  @inlinable public static var sender: String { "sender" }
  /// The status that the process exits with.
  @inlinable public static var status: String { "status" }
  /// How long the main queue, or what else is watched, has not answered, or the task has waited that waits longest.
  @inlinable public static var milliseconds: String { "milliseconds" }
  /// The thread that holds what does not answer.
  @inlinable public static var thread: String { "thread" }
  /// Its name.
  @inlinable public static var threadName: String { "threadName" }

  // MARK: Hangs

  /// What the thread does that holds it: `blocked`, `busy`, `starved`.
  @inlinable public static var doing: String { "doing" }
  /// Which queue it runs, where that is not the pool's own.
  @inlinable public static var queue: String { "queue" }
  /// How many threads hold it.
  @inlinable public static var threads: String { "threads" }
  /// What share of the last ten seconds some thread of the machine waited for a processor, in percent.
  @inlinable public static var pressure: String { "pressure" }
  /// How many beats there were.
  @inlinable public static var beats: String { "beats" }
  /// Within how many microseconds half of them came.
  @inlinable public static var median: String { "median" }
  /// Within how many 99 of 100 came.
  @inlinable public static var nearlyAll: String { "p99" }
  /// How many the slowest took.
  @inlinable public static var slowest: String { "slowest" }
  /// A request's method and route, never its path.
  @inlinable public static var request: String { "request" }
  /// What tells it from others.
  @inlinable public static var requestID: String { "requestID" }
  /// A service's name.
  @inlinable public static var service: String { "service" }
}

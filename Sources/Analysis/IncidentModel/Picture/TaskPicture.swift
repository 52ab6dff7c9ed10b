/// The tasks of a process at one moment, their waits, and the holders of actors, queues and locks.
package struct TaskPicture: Hashable, Sendable {
  /// The tasks, in ascending order of their ids.
  package var tasks: [PictureTask] = []
  /// The actors that a task waits for or that hold a thread, in ascending order of their addresses.
  package var actors: [PictureActor] = []
  package var threads: [PictureThread] = []
  /// The dispatch queues that a thread waits for, and those whose thread is blocked while more work waits.
  package var queues: [PictureQueue] = []
  /// The locks that a thread waits for: the kernel id of the owner thread, by the lock's address.
  package var locks: [UInt64: Int] = [:]
  /// The main queue, held by the thread that runs its work; nil if unknown.
  package var mainQueue: PictureQueue?
  /// The number of processors that the process may use; nil if unknown.
  package var processors: Int?
  /// The gaps in the picture and their reasons, one sentence each.
  package var gaps: [String] = []
  /// The work that two readings have in common; nil after one reading.
  package var lasting: LastingWork?
  /// True if the process is silent although it should continue, as crashscan test found.
  package var isStuck = false

  package init() {}

  /// Removes the references to continuations, which are reliable only if the process was stopped
  /// while its memory was read.
  ///
  /// - Parameter isIt: Selects the tasks by their ids.
  package mutating func forgetReferences(of isIt: (UInt64) -> Bool = { _ in true }) {
    for index in tasks.indices where isIt(tasks[index].id) {
      if case .waiting(.continuation) = tasks[index].state {
        tasks[index].state = .waiting(.continuation(nil))
      }
    }
  }

  /// The ids of the tasks whose continuation no reference can resume.
  ///
  /// - Parameter mayBeChecked: True if a stack may be that of a task that waits for a checked
  ///   continuation.
  package func lost(_ mayBeChecked: (Stack) -> Bool) -> Set<UInt64> {
    var known: [Stack: Bool] = [:]
    let lost = tasks.filter { task in
      guard case .waiting(.continuation(let references?)) = task.state else { return false }
      // A parent can cancel its children, which ends the wait for a stream.
      if references.inClosedStreams > 0, task.isChild { return false }
      if references.areNone(isChecked: false) { return true }
      guard references.areNone(isChecked: true) else { return false }
      let may = known[task.stack] ?? mayBeChecked(task.stack)
      known[task.stack] = may
      return may
    }
    return Set(lost.map(\.id))
  }

  /// Keeps only the waits and holders that a second picture shares. If the process ran between the
  /// pictures, only these are certain.
  package mutating func keepWaits(commonWith other: TaskPicture) {
    forgetReferences()
    for index in tasks.indices {
      guard var again = other.task(tasks[index].id) else {
        tasks[index].state = .unknown
        continue
      }
      if case .waiting(.continuation) = again.state { again.state = .waiting(.continuation(nil)) }
      if again.state != tasks[index].state { tasks[index].state = .unknown }
    }
    let again = Dictionary(other.threads.map { ($0.kernelID, $0) }) { first, _ in first }
    for index in threads.indices {
      var thread = again[threads[index].kernelID]
      thread?.used = threads[index].used
      thread?.isRunnable = threads[index].isRunnable
      if thread != threads[index] { threads[index].wait = nil }
    }
    actors.removeAll { other.actor($0.address) != $0 }
    queues.removeAll { other.queue($0.address)?.holders != $0.holders }
    locks = locks.filter { other.locks[$0.key] == $0.value }
    if mainQueue != other.mainQueue { mainQueue?.holder = nil }
  }

  /// The task with the id `id`. Complexity: logarithmic in the number of tasks.
  package func task(_ id: UInt64) -> PictureTask? {
    let place = tasks.partitioningIndex { $0.id >= id }
    return place < tasks.count && tasks[place].id == id ? tasks[place] : nil
  }

  package func thread(_ kernelID: Int) -> PictureThread? {
    threads.first { $0.kernelID == kernelID }
  }

  /// The actor at `address`. Complexity: logarithmic in the number of actors.
  package func actor(_ address: UInt64) -> PictureActor? {
    let place = actors.partitioningIndex { $0.address >= address }
    return place < actors.count && actors[place].address == address ? actors[place] : nil
  }

  /// The queue at `address`, which may be the main queue.
  package func queue(_ address: UInt64) -> PictureQueue? {
    queues.first { $0.address == address }
      ?? mainQueue.flatMap { $0.address == address ? $0 : nil }
  }
}

/// A task of a process.
package struct PictureTask: Hashable, Sendable {
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let cancelled = Flags(rawValue: 1)
    package static let child = Flags(rawValue: 2)
    package static let groupChild = Flags(rawValue: 4)
    package static let asyncLet = Flags(rawValue: 8)
  }

  package enum State: Hashable, Sendable {
    /// The task runs on the thread with this kernel id; nil if the thread is unknown.
    case running(thread: Int?)
    /// The task is runnable and waits for its turn on an executor.
    case enqueued(PictureExecutor)
    case waiting(PictureWait)
    case finished
    /// The task was created and not yet enqueued. The runtime itself uses such tasks to wake
    /// sleeping tasks.
    case notStarted
    /// The memory does not show the state, for example during a transition.
    case unknown
  }

  package var id: UInt64
  package var address: UInt64
  /// The name that the program gave; nil if the task has no name.
  package var name: String?
  package var priority: CrashTask.Priority
  package var flags: Flags = []
  /// True if another task can cancel the task as its child.
  package var isChild: Bool { !flags.isDisjoint(with: [.child, .groupChild, .asyncLet]) }
  /// The id of the parent task; nil if the task is not a child.
  package var parent: UInt64?
  package var state: State
  /// The resume address of the task, and its async callers.
  package var stack: Stack

  package init(
    id: UInt64, address: UInt64, priority: CrashTask.Priority, state: State, stack: Stack
  ) {
    self.id = id
    self.address = address
    self.priority = priority
    self.state = state
    self.stack = stack
  }
}

/// An executor of tasks.
package enum PictureExecutor: Hashable, Sendable {
  /// The cooperative pool, which runs all code that is not isolated to an actor.
  case pool
  case main
  /// An actor, by its address.
  case actor(UInt64)
  /// A custom executor, by its address and its type.
  case custom(UInt64, type: String)
}

/// The wait of a suspended task.
package enum PictureWait: Hashable, Sendable {
  /// The end of another task, by its id.
  case task(UInt64)
  /// A child of the task's group; the ids of all children.
  case group([UInt64])
  /// A continuation. The references are nil if they were not counted, because the process ran or
  /// its memory is incomplete.
  case continuation(References?)
  /// The end of a task that was not found.
  case unknownTask

  /// Counts of the memory words that contain the address of a continuation, which is the address of
  /// its task. Code that reads such a word could resume the task.
  ///
  /// The task's own memory, the runtime's lists, freed memory and memory below stack pointers do
  /// not count.
  package struct References: Hashable, Sendable {
    /// Words that are the first field of an object. A checked continuation is referenced only by
    /// such an object.
    package var objects: Int
    /// Words on the stacks and in the registers of threads.
    package var onStacks: Int
    /// All other words: unchecked continuations, and handles of the task.
    package var others: Int
    /// The task's reference count without the task's own reference.
    package var handles: Int
    /// Words in the buffers of streams to which nothing else refers that could add an element or finish them.
    package var inClosedStreams = 0

    package init(objects: Int = 0, onStacks: Int = 0, others: Int = 0, handles: Int = 0) {
      self.objects = objects
      self.onStacks = onStacks
      self.others = others
      self.handles = handles
    }

    /// True if no reference can resume the continuation.
    ///
    /// - Parameter isChecked: true if the continuation is known to be a checked one.
    package func areNone(isChecked: Bool) -> Bool {
      // Cancellation ends the wait for a stream, and a handle is enough to cancel.
      if inClosedStreams > 0 { return objects + onStacks + others + handles == 0 }
      return isChecked
        ? objects == 0 && onStacks == 0 : objects + onStacks + others <= handles
    }
  }
}

/// The state of an actor, read from its memory.
package struct PictureActor: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case idle, scheduled, running
    case unknown
  }

  package var address: UInt64
  /// The type of the actor; empty if unknown.
  package var type: String
  package var state: State
  /// The kernel id of the thread that runs the actor's code.
  package var holder: Int?

  package init(address: UInt64, type: String, state: State, holder: Int? = nil) {
    self.address = address
    self.type = type
    self.state = state
    self.holder = holder
  }
}

/// A thread with its task, its actor and its wait.
package struct PictureThread: Hashable, Sendable {
  /// The object of a call that blocks a thread.
  package enum Wait: Hashable, Sendable {
    /// A dispatch queue, by its address.
    case queue(UInt64)
    /// A lock, by its address.
    case lock(UInt64)
    /// A semaphore, a condition variable or a group, by the address of its futex word.
    case signal(UInt64)
    /// The end of another thread, by its kernel id.
    case thread(Int)
    /// Work: the thread is an idle thread of a pool.
    case work
    /// A time, or something else for a limited time.
    case time
    /// Something else: a file, a socket.
    case call
  }

  package var kernelID: Int
  /// The id of the task that the thread runs.
  package var task: UInt64?
  /// The address of the actor that the thread runs.
  package var actor: UInt64?
  package var wait: Wait?
  /// The ids of the tasks that refer to the signal that the thread waits for. As far as the memory
  /// shows, one of these tasks will send the signal.
  package var awaitedTasks: [UInt64] = []
  /// The kernel ids of the threads that refer to the signal that this thread waits for.
  package var awaitedThreads: [Int] = []
  /// True if all threads and tasks were searched for references to the signal.
  package var isAwaitedKnown = false
  /// The processor time that it had used, in nanoseconds; nil if unknown.
  package var used: UInt64?
  /// Whether it ran or waited for a processor, as far as the kernel says.
  package var isRunnable = false

  package init(kernelID: Int) { self.kernelID = kernelID }
}

/// A dispatch queue that a thread waits for, or whose thread is blocked while more work waits.
package struct PictureQueue: Hashable, Sendable {
  /// Work that waits for its turn.
  package struct Jobs: Hashable, Sendable {
    package var count: Int
    /// The address of the next one.
    package var first: UInt64

    package init(count: Int, first: UInt64) {
      self.count = count
      self.first = first
    }
  }

  package var address: UInt64
  package var label: String
  /// The kernel id of the thread that runs the queue's work.
  package var holder: Int?
  /// The kernel's ids of the threads that run its work side by side: a concurrent queue has no holder.
  package var runners: [Int] = []
  /// Nil if no work waits, or that is unknown.
  package var jobs: Jobs?

  /// The threads that others wait for.
  package var holders: [Int] { holder.map { [$0] } ?? runners }

  package init(address: UInt64, label: String, holder: Int?) {
    self.address = address
    self.label = label
    self.holder = holder
  }
}

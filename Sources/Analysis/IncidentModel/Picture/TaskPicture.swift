/// The tasks of a process at one moment, their waits, and the holders of actors, queues and locks.
package struct TaskPicture: Hashable, Sendable {
  /// In the order of their ids.
  package var tasks: [PictureTask] = []
  /// Those that a task waits for, or that hold a thread.
  package var actors: [PictureActor] = []
  package var threads: [PictureThread] = []
  /// The dispatch queues that a thread waits for.
  package var queues: [PictureQueue] = []
  /// The locks that a thread waits for, by their addresses, with the kernel's id of the thread that has each.
  package var locks: [UInt64: Int] = [:]
  /// The main queue, held by the thread that runs its work; nil if unknown.
  package var mainQueue: PictureQueue?
  /// The number of processors that the process may use; nil if unknown.
  package var processors: Int?
  /// Gaps in the picture and their reasons: one sentence each.
  package var gaps: [String] = []

  package init() {}

  /// Removes the references to continuations, which only memory of a process that stood still shows.
  package mutating func forgetReferences() {
    for index in tasks.indices {
      if case .waiting(.continuation) = tasks[index].state {
        tasks[index].state = .waiting(.continuation(nil))
      }
    }
  }

  /// Keeps the waits and the holders that a second picture has too: of a process that ran meanwhile, only these are certain.
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
    for index in threads.indices where again[threads[index].kernelID] != threads[index] {
      threads[index].wait = nil
    }
    actors.removeAll { other.actor($0.address) != $0 }
    queues.removeAll { other.queue($0.address) != $0 }
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

  package func actor(_ address: UInt64) -> PictureActor? {
    actors.first { $0.address == address }
  }

  package func queue(_ address: UInt64) -> PictureQueue? {
    queues.first { $0.address == address }
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
    /// It runs on the thread with this kernel id; nil if it is not known on which.
    case running(thread: Int?)
    /// It can go on as soon as it is its turn.
    case enqueued(PictureExecutor)
    case waiting(PictureWait)
    case finished
    /// It was made and given to no executor yet. The runtime wakes sleeping tasks by such tasks of its own.
    case notStarted
    /// The memory does not say, as between two states.
    case unknown
  }

  package var id: UInt64
  package var address: UInt64
  /// The name that the program gave; nil if the task has no name.
  package var name: String?
  package var priority: CrashTask.Priority
  package var flags: Flags = []
  /// The id of the task whose child it is.
  package var parent: UInt64?
  package var state: State
  /// The place at which it goes on, and its async callers.
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

/// A place where tasks run.
package enum PictureExecutor: Hashable, Sendable {
  /// The threads that run whatever belongs to no actor.
  case pool
  case main
  /// An actor, by its address.
  case actor(UInt64)
  /// An executor of the program's own, by its address and its type.
  case custom(UInt64, type: String)
}

/// The wait of a suspended task.
package enum PictureWait: Hashable, Sendable {
  /// The end of another task, by its id.
  case task(UInt64)
  /// A child of its group, by their ids.
  case group([UInt64])
  /// A continuation; without references if those were not searched, since the process ran or its memory is not whole.
  case continuation(References?)
  /// The end of a task that was not found.
  case unknownTask

  /// The words in memory that hold the address of a continuation, which is that of its task: they could resume it.
  ///
  /// The task's own memory, the runtime's lists, freed memory and memory below stack pointers do not count.
  package struct References: Hashable, Sendable {
    /// First fields of objects: a checked continuation is held by such an object alone.
    package var objects: Int
    /// Words on the stacks and in the registers of threads.
    package var onStacks: Int
    /// All others: unchecked continuations, and handles of the task.
    package var others: Int
    /// The references to the task that it counts besides its own.
    package var handles: Int

    package init(objects: Int = 0, onStacks: Int = 0, others: Int = 0, handles: Int = 0) {
      self.objects = objects
      self.onStacks = onStacks
      self.others = others
      self.handles = handles
    }

    /// Whether nothing can resume it.
    ///
    /// - Parameter isChecked: whether it is known to be a checked one.
    package func areNone(isChecked: Bool) -> Bool {
      isChecked ? objects == 0 && onStacks == 0 : objects + onStacks + others <= handles
    }
  }
}

/// An actor, as its memory says.
package struct PictureActor: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case idle, scheduled, running
    case unknown
  }

  package var address: UInt64
  /// Empty if unknown.
  package var type: String
  package var state: State
  /// The kernel's id of the thread that runs the actor's code.
  package var holder: Int?

  package init(address: UInt64, type: String, state: State, holder: Int? = nil) {
    self.address = address
    self.type = type
    self.state = state
    self.holder = holder
  }
}

/// A thread, as far as tasks and what waits for them are concerned.
package struct PictureThread: Hashable, Sendable {
  /// The object of a wait in a call that blocks a thread.
  package enum Wait: Hashable, Sendable {
    /// A dispatch queue, by its address.
    case queue(UInt64)
    /// A lock, by its address.
    case lock(UInt64)
    /// A semaphore, a condition or a group, by the address of the word that the kernel watches.
    case signal(UInt64)
    /// The end of another thread, by its kernel id.
    case thread(Int)
    /// Work: it is one of a pool's threads, and has none.
    case work
    /// Something else: a file, a socket, a time.
    case call
  }

  package var kernelID: Int
  /// The id of the task that it runs.
  package var task: UInt64?
  /// The actor that it runs on.
  package var actor: UInt64?
  package var wait: Wait?
  /// Tasks that refer to the signal that it waits for, by their ids: as far as memory tells, one of them gives it.
  package var awaitedTasks: [UInt64] = []
  /// Threads that do, by their kernel ids.
  package var awaitedThreads: [Int] = []

  package init(kernelID: Int) { self.kernelID = kernelID }
}

/// A dispatch queue that a thread waits for.
package struct PictureQueue: Hashable, Sendable {
  package var address: UInt64
  package var label: String
  /// The kernel's id of the thread that runs its work.
  package var holder: Int?

  package init(address: UInt64, label: String, holder: Int?) {
    self.address = address
    self.label = label
    self.holder = holder
  }
}

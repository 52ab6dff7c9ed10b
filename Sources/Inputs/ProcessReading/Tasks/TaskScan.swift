import IncidentModel

/// Reads the tasks of a process from its memory.
package struct TaskScan {
  private let reader: WordReader
  private let threads: [ScannedThread]
  private let symbols: ProcessSymbols
  private let processors: Int?

  /// Upper limits for the memory use of a scan.
  private static let mostTasks = 4_000_000
  private static let mostChildren = 100_000

  /// - Parameters:
  ///   - threads: all threads of the process.
  ///   - symbols: the symbols of the process's modules.
  ///   - processors: the number of processors that the process may use; nil if unknown.
  package init(
    _ image: any MemoryImage, threads: [NativeThread], symbols: ProcessSymbols,
    processors: Int? = nil
  ) {
    reader = WordReader(image)
    self.threads = threads.map { ScannedThread($0) }
    self.symbols = symbols
    self.processors = processors
  }

  /// Reads the tasks, actors and waits from memory.
  ///
  /// - Complexity: linear in the size of the writable memory, which is read once; twice if a task
  ///   waits for a continuation; and up to four times if the continuation is in the buffer of a
  ///   stream.
  package func picture() -> TaskPicture {
    var picture = TaskPicture()
    picture.processors = processors
    let blocked = BlockedThreads(threads, reader)
    let dead = DeadStacks(threads, idle: blocked.idle, reader).ranges
    picture.queues = blocked.queues
    picture.locks = blocked.locks
    picture.mainQueue = symbols.mainQueue.flatMap(blocked.queue(at:))
    let found: [TaskObject]
    var gaps: [String] = []
    do throws(ConcurrencyRuntime.Absence) {
      let runtime = try ConcurrencyRuntime(reader, symbols)
      gaps = runtime.gaps
      found = objects(runtime, dead)
      if runtime.isKnown {
        read(found, runtime, into: &picture, blocked, dead)
      } else {
        picture.tasks = heads(of: found)
      }
    } catch {
      found = []
      gaps = [Self.words(error)]
    }
    if picture.threads.isEmpty {
      picture.threads = threads.map { blocked.thread($0) }
    }
    if !WordSearch(reader, excluding: []).isWhole {
      gaps.append("memory regions of more than 64 GiB were not searched for tasks")
      picture.forgetReferences()
    }
    // A register may hold the only reference.
    if threads.contains(where: \.registers.isEmpty) { picture.forgetReferences() }
    picture.gaps += gaps
    return picture
  }

  private static func words(_ absence: ConcurrencyRuntime.Absence) -> String {
    switch absence {
    case .notLoaded:
      "no Swift tasks are shown: the process has not loaded Swift's concurrency runtime, or its executable "
        + "contains the runtime but no symbols"
    case .noSymbols(let module):
      "no Swift tasks are shown: \(module) has no symbols to locate tasks"
    }
  }

  /// The task objects in memory, in ascending order of their ids.
  private func objects(_ runtime: ConcurrencyRuntime, _ dead: [Range<UInt64>]) -> [TaskObject] {
    var found: [TaskObject] = []
    WordSearch(reader, excluding: dead)
      .objects(withFirstWord: runtime.taskMetadata) { address in
        guard found.count < Self.mostTasks,
          let task = TaskObject(at: address, reader, isKnown: runtime.isKnown)
        else { return }
        found.append(task)
      }
    found.sort { ($0.id, $1.rank, $0.address) < ($1.id, $0.rank, $1.address) }
    // If two objects have the same id, the one with less state is a stale copy.
    var distinct: [TaskObject] = []
    for task in found where distinct.last?.id != task.id { distinct.append(task) }
    return distinct
  }

  /// The tasks read from their headers only, for an unknown layout.
  private func heads(of found: [TaskObject]) -> [PictureTask] {
    var callers = AsyncCallers(reader)
    return found.map { task in
      PictureTask(
        id: task.id, address: task.address, priority: .init(rawValue: task.priority),
        state: .unknown, stack: callers.stack(from: task.context, starting: [task.resume]))
    }
  }

  private func read(
    _ found: [TaskObject], _ runtime: ConcurrencyRuntime, into picture: inout TaskPicture,
    _ blocked: BlockedThreads, _ dead: [Range<UInt64>]
  ) {
    let byAddress = Dictionary(
      found.lazy.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
    let running = Set(found.lazy.filter(\.isRunning).map(\.address))
    // A thread without work runs no task, and its stack holds words of earlier ones.
    let active = threads.filter { !blocked.idle.contains($0.kernelID) }
    let onThreads = ThreadTasks(active, running: running, reader)
    let threadOf = Dictionary(
      onThreads.tasks.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    let byID = Dictionary(threads.map { ($0.kernelID, $0) }) { first, _ in first }
    var actors = Actors(reader, onThreads.executors)
    let waiting = ContinuationSearch(reader, active, runtime).references(found, excluding: dead)
    if waiting == nil {
      picture.gaps.append(
        "a part of the memory could not be read: crashscan judges no lost continuations")
    }
    var callers = AsyncCallers(reader)
    picture.tasks = found.map { task in
      let records = StatusRecords(of: task, reader)
      let isNew = runtime.adapters.contains(task.resume)
      let state = state(
        of: task, records, isNew: isNew, byAddress, threadOf, &actors, waiting?[task.address])
      var told = PictureTask(
        id: task.id, address: task.address, priority: .init(rawValue: task.priority),
        state: state, stack: stack(of: task, state, isNew: isNew, byID, &callers))
      told.name = records.name
      told.flags = task.flags
      told.parent = task.parent(reader).flatMap { byAddress[$0]?.id }
      return told
    }
    // Only threads that hold something matter.
    let holders = Set(
      (picture.queues + [picture.mainQueue].compactMap(\.self)).flatMap(\.holders)
        + onThreads.tasks.filter { byAddress[$0.value] != nil }.keys)
    let awaited = holders.compactMap { id -> UInt64? in
      if case .signal(let word) = blocked.waits[id] { word } else { nil }
    }
    let givers = SignalGivers(
      of: awaited, threads, blocked.waits, found.filter { !$0.isRunning && !$0.isComplete },
      isNew: { runtime.adapters.contains($0.resume) }, reader)
    picture.threads = threads.map { thread in
      var told = blocked.thread(thread)
      told.task = onThreads.tasks[thread.kernelID].flatMap { byAddress[$0]?.id }
      told.actor = onThreads.executors[thread.kernelID].flatMap {
        actors.actor($0.object, $0.witness)
      }
      if case .signal(let word) = told.wait, holders.contains(thread.kernelID) {
        let found = givers.givers(of: word, for: thread.kernelID)
        told.awaitedTasks = found.tasks.compactMap { byAddress[$0]?.id }
        told.awaitedThreads = found.threads
        told.isAwaitedKnown = givers.isComplete
      }
      return told
    }
    picture.actors = actors.all
    if !running.isEmpty && onThreads.tasks.isEmpty {
      picture.gaps.append("the thread of each running task is unknown")
    }
  }

  private func state(
    of task: TaskObject, _ records: StatusRecords, isNew: Bool, _ known: [UInt64: TaskObject],
    _ threadOf: [UInt64: Int], _ actors: inout Actors, _ references: PictureWait.References?
  ) -> PictureTask.State {
    if task.isComplete { return .finished }
    if task.isRunning { return .running(thread: threadOf[task.address]) }
    switch records.dependency {
    case .task(let other): return .waiting(known[other].map { .task($0.id) } ?? .unknownTask)
    case .continuation: return .waiting(.continuation(references))
    case .group(let group): return .waiting(.group(children(of: group, known)))
    case .executor(let object, let witness):
      return task.isEnqueued ? .enqueued(actors.executor(object, witness)) : .unknown
    case nil: return isNew && !task.hasDependency ? .notStarted : .unknown
    }
  }

  /// The ids of the children that a group lists. The group's status record follows its witness
  /// table word.
  func children(of group: UInt64, _ known: [UInt64: TaskObject]) -> [UInt64] {
    var children: [UInt64] = []
    var next = reader.word(at: group &+ 24)
    // A list that is read while the process changes it may lead back to itself.
    for _ in 0..<Self.mostChildren {
      guard let child = next.flatMap({ known[$0] }) else { break }
      if !child.isComplete { children.append(child.id) }
      next = child.nextSibling(reader)
    }
    return children
  }

  private func stack(
    of task: TaskObject, _ state: PictureTask.State, isNew: Bool, _ threads: [Int: ScannedThread],
    _ callers: inout AsyncCallers
  ) -> Stack {
    switch state {
    case .running(let id?):
      threads[id].map { callers.stack(of: task, runningOn: $0) }
        ?? Stack(frames: [], end: .unavailable)
    case .running, .finished: Stack(frames: [], end: .unavailable)
    case .enqueued where isNew, .notStarted:
      callers.stack(from: task.context, starting: Closures(reader).functions(startedBy: task))
    // The context of a continuation or of a runtime call contains the caller's resume address.
    case .waiting: callers.stack(from: task.context)
    case .enqueued, .unknown: callers.stack(from: task.context, starting: [task.resume])
    }
  }
}

extension TaskObject {
  /// The amount of state in an object, which separates a waiting or running task from its stale
  /// copy.
  fileprivate var rank: Int { isComplete ? 0 : hasDependency || isRunning ? 2 : 1 }
}

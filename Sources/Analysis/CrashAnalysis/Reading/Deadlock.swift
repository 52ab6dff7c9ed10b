import IncidentModel

/// The threads that wait for each other, found in the stacks of a crash.
enum Deadlock {
  /// A thread that waits for a queue which it holds itself.
  case own
  /// The main queue's thread and a worker that waits for a queue meanwhile.
  case mutual(main: WaitingThread, worker: WaitingThread)
  /// Two threads that each run a queue and wait for a queue, while no other thread is known to run
  /// one.
  case queues(WaitingThread, WaitingThread)
  /// Threads other than the main one, each of which waits for a lock of the next.
  case ring([WaitingThread])
  /// Threads that wait for each other according to the report.
  case told([WaitingThread])
  /// Two threads that wait for locks which no other known thread could own.
  case likelyLocks(WaitingThread, WaitingThread)
  /// Threads that, according to their source, each wait for a lock or queue that the next one
  /// holds.
  case circle(WaitCircle)
  /// An uncertain case of `mutual`: the record does not show the other thread's awaited resource,
  /// or whether the main thread serves its queue.
  case likely(main: WaitingThread, worker: WaitingThread)

  init?(_ crash: CrashReading, in run: EndedRun) {
    if crash.isOwnDeadlock {
      self = .own
      return
    }
    let threads = (crash.crash.thread.map { [$0] } ?? []) + crash.crash.otherThreads
    let readings = threads.map { thread in
      WaitingThread(thread, run.frames(of: thread.stack, when: crash.crash.monotonic))
    }
    if let owned = Self.ofOwners(readings) {
      self = owned
      return
    }
    // Threads that are missing from the record may hold what the others wait for.
    let isWhole =
      !crash.crash.isOutOfTime && !crash.crash.isListIncomplete && crash.wasAskedFor(in: run)
    if isWhole, let circle = WaitCircle(readings) {
      self = .circle(circle)
      return
    }
    guard let main = readings.first(where: { $0.thread.onMain == .yes && $0.isWaiting }) else {
      guard isWhole, let pair = Self.pair(in: readings) else { return nil }
      self = .queues(pair.0, pair.1)
      return
    }
    let hangs = run.mainHang != nil
    if let worker = readings.first(where: { $0.thread.onMain != .yes && $0.waitsForQueue }) {
      // A main thread that only waits for the program's end may never serve its queue.
      let isSure = hangs || !main.isAtEntry
      self = isSure ? .mutual(main: main, worker: worker) : .likely(main: main, worker: worker)
      return
    }
    // Idle threads always wait for work, but a thread that waits while it has a queue is in the
    // middle of the queue's work.
    let isAmidWork = { (thread: WaitingThread) in
      thread.thread.onMain != .yes && thread.isWaiting && thread.thread.queue != nil
    }
    guard hangs, let worker = readings.first(where: isAmidWork) else { return nil }
    self = .likely(main: main, worker: worker)
  }

  /// Finds a deadlock of a process that hung and continued, or whose end is unknown: only what the
  /// stacks prove.
  init?(hung threads: [CrashThread], in run: EndedRun) {
    let readings = threads.map { thread in
      WaitingThread(thread, run.frames(of: thread.stack, when: run.end.monotonic), isHung: true)
    }
    if let owned = Self.ofOwners(readings) {
      self = owned
      return
    }
    let waiting = readings.filter { $0.reading.touched != nil }
    if run.source.signs.standstill != nil, !waiting.isEmpty {
      self = .told(waiting)
      return
    }
    if run.source.signs.hasUntoldLocks, let pair = Self.lockPair(in: readings) {
      self = .likelyLocks(pair.0, pair.1)
      return
    }
    // A waiting main thread is evidence only during a hang.
    guard run.mainHang != nil else { return nil }
    // The main thread and the worker may wait for a third thread that runs a queue.
    let workers = readings.filter { $0.isAtWork && $0.thread.onMain != .yes }
    guard let main = readings.first(where: { $0.thread.onMain == .yes && $0.isWaiting }),
      let worker = workers.first(where: \.waitsForQueue), workers.allSatisfy(\.isWaiting)
    else { return nil }
    self = .mutual(main: main, worker: worker)
  }

  /// Finds a deadlock from the stacks of unfinished hangs, for a run that recorded no other stacks.
  init?(hangs: [Hang]) {
    let threads = hangs.flatMap(\.holders).filter { $0.doing == .blocked }.compactMap(
      WaitingThread.init)
    guard let circle = WaitCircle(threads) else { return nil }
    self = .circle(circle)
  }

  /// Finds a deadlock among threads that stood for seconds, from the owners of the locks and queues
  /// for which they waited, or from the source.
  init?(standing threads: [StandingThreads.Thread]) {
    let known = threads.compactMap { thread in
      WaitingThread(thread.holder).map { (reading: $0, owner: thread.owner) }
    }
    let places = Dictionary(
      known.enumerated().map { ($0.element.reading.thread.kernelID, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    let cycle = SuccessorCycle.first(from: known.indices) { place in
      known[place].owner.flatMap { places[$0] }.flatMap { $0 == place ? nil : $0 }
    }
    guard let members = cycle?.map({ known[$0].reading }) else {
      guard let circle = WaitCircle(known.map(\.reading)) else { return nil }
      self = .circle(circle)
      return
    }
    if let circle = WaitCircle(members), circle.members.count == members.count {
      self = .circle(circle)
    } else if members.count == 2, members.allSatisfy(\.waitsForQueue) {
      self = .queues(members[0], members[1])
    } else {
      self = .ring(members)
    }
  }

  /// Returns the threads that wait for each other according to the owners of locks in the report;
  /// first those that the main thread waits for. Nil if no threads do.
  private static func ofOwners(_ readings: [WaitingThread]) -> Deadlock? {
    let known = Dictionary(
      readings.indices.compactMap { place in readings[place].thread.ordinal.map { ($0, place) } },
      uniquingKeysWith: { first, _ in first })
    let main = readings.firstIndex { $0.thread.onMain == .yes }
    let starts = (main.map { [$0] } ?? []) + readings.indices
    let cycle = SuccessorCycle.first(from: starts) { place in
      readings[place].thread.waitsFor.flatMap { known[$0] }.flatMap { $0 == place ? nil : $0 }
    }
    guard let cycle else { return nil }
    guard let main, let place = cycle.firstIndex(of: main) else {
      return .ring(cycle.map { readings[$0] })
    }
    let waiter = cycle[(place + cycle.count - 1) % cycle.count]
    return .mutual(main: readings[main], worker: readings[waiter])
  }

  /// Returns the two threads that wait for locks, if each other thread is idle, has no own code, or
  /// waits for the end of a thread.
  private static func lockPair(in readings: [WaitingThread]) -> (WaitingThread, WaitingThread)? {
    let waiting = readings.filter(\.waitsForLock)
    let others = readings.filter { !$0.waitsForLock && $0.reading.touched != nil }
    guard waiting.count == 2, others.allSatisfy(\.waitsForThread),
      waiting.allSatisfy({ $0.thread.waitsFor == nil }),
      waiting[0].reading.touched != waiting[1].reading.touched
    else { return nil }
    return (waiting[0], waiting[1])
  }

  /// Returns the two threads that run queues, if both wait for a queue and no third thread runs
  /// one: a third, busy or waiting, may be the holder.
  private static func pair(in readings: [WaitingThread]) -> (WaitingThread, WaitingThread)? {
    let workers = readings.filter(\.isAtWork)
    guard workers.count == 2,
      workers.allSatisfy({ $0.thread.onMain != .yes && $0.waitsForQueue }),
      workers[0].thread.queue?.serial != workers[1].thread.queue?.serial
    else { return nil }
    return (workers[0], workers[1])
  }
}

/// A thread, and the kind of its wait.
struct WaitingThread {
  let thread: CrashThread
  let reading: StackReading
  /// The frames of the program's own functions, innermost first.
  let code: [CodePlace]
  let isWaiting: Bool
  let waitsForQueue: Bool
  let waitsForLock: Bool
  /// True if the thread waits for the end of another thread.
  let waitsForThread: Bool
  /// True if the thread waits for a queue or lock, which another thread holds.
  var waitsForGuard: Bool { reading.touched != nil && (waitsForQueue || waitsForLock) }
  /// True if the program's entry function waits, not work that a queue runs.
  let isAtEntry: Bool
  /// True if the thread may be in the middle of a queue's work: it has a queue or is the main
  /// thread, and has own code on its stack, or no stack.
  let isAtWork: Bool
  /// The call that took the queue of the thread, if the thread waits for another queue.
  let heldAt: CodePlace?

  init(_ thread: CrashThread, _ frames: [Frame], isHung: Bool = false) {
    self.thread = thread
    reading = StackReading(frames)
    code = frames.filter { $0.role == .code && !$0.isAwaiting }.map(\.place)
    isAtEntry = !frames.drop { $0.role != .code }.contains { $0.role == .drain }
    let names = frames.prefix { $0.role != .code }.map(\.place.function)
    let isIdle = names.contains(where: WaitFunctions.isLoop)
    isAtWork =
      (thread.queue != nil || thread.onMain == .yes)
      && (frames.isEmpty || reading.touched != nil && !isIdle)
    let queueWait = "__DISPATCH_WAIT_FOR_QUEUE__"
    waitsForQueue = names.contains { $0.hasPrefix(queueWait) || $0.hasPrefix("_" + queueWait) }
    heldAt = waitsForQueue ? frames.callThatTookQueue : nil
    waitsForLock = reading.touched != nil && names.contains(where: WaitFunctions.isLock)
    waitsForThread = names.contains { $0.contains("pthread_join") || $0.contains("Thread.join") }
    let isWait = isHung ? WaitFunctions.isWait : WaitFunctions.isForWork
    isWaiting = reading.touched != nil && (waitsForQueue || names.contains(where: isWait))
  }

  /// Reads a thread that the watch has sampled; nil if the thread is unknown.
  init?(_ holder: Hang.Holder) {
    guard let thread = holder.thread else { return nil }
    self.init(
      CrashThread(
        kernelID: thread.id, ordinal: nil, name: thread.name,
        queue: holder.queue.map { Queue(serial: 0, label: $0) }, onMain: .unknown,
        stack: Stack(frames: [], end: .complete), source: .rules), holder.frames, isHung: true)
  }

  /// Returns the display name of the thread.
  func name(in run: RunState) -> String {
    thread.ordinal.map(run.thread) ?? run.thread(kernelID: thread.kernelID, thread.name)
  }
}

extension [Frame] {
  /// The call that took the queue on which the innermost own function waits: the nearest enclosing
  /// synchronous call, else the work of the queue.
  var callThatTookQueue: CodePlace? {
    let inner = firstIndex { $0.role == .code } ?? count
    var own = indices.contains(inner) ? self[inner] : nil
    var isInSync = false
    for frame in dropFirst(inner + 1) where !frame.isAwaiting {
      if frame.role == .code {
        if isInSync { return frame.place }
        own = frame
      } else if frame.place.function.contains("sync") {
        isInSync = isInSync || !frame.place.function.contains("async")
      }
    }
    return own?.place
  }
}

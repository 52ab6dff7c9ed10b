import IncidentModel

/// Threads that wait for each other, as the stacks of a crash show them.
enum Deadlock {
  /// A thread waits for a queue that it holds itself.
  case own
  /// The main queue's thread waits, and another waits for a queue meanwhile.
  case mutual(main: WaitingThread, worker: WaitingThread)
  /// Two threads each work for a queue and wait for one, while no other thread is seen to work for any.
  case queues(WaitingThread, WaitingThread)
  /// Threads other than the main queue's, each waiting for a lock of the next one.
  case ring([WaitingThread])
  /// Threads that wait for each other by the report's own word.
  case told([WaitingThread])
  /// Two threads that wait for locks while no other thread that is seen could have them.
  case likelyLocks(WaitingThread, WaitingThread)
  /// Threads that each wait for the lock or queue that the next one holds, by their source.
  case circle(WaitCircle)
  /// As `mutual`, where it cannot be told what the other waits for, or whether main was to be served.
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
    if let (main, holder) = Self.ring(in: readings) {
      self = .mutual(main: main, worker: holder)
      return
    }
    if let ring = Self.anyRing(in: readings) {
      self = .ring(ring)
      return
    }
    // Threads that are missing from the record may be the ones that the others wait for.
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
      // A main thread that only waits for the program's end was perhaps never to serve its queue.
      let isSure = hangs || !main.isAtEntry
      self = isSure ? .mutual(main: main, worker: worker) : .likely(main: main, worker: worker)
      return
    }
    // Threads that wait for work do so all the time; a queue's thread that waits is amid its work.
    let isAmidWork = { (thread: WaitingThread) in
      thread.thread.onMain != .yes && thread.isWaiting && thread.thread.queue != nil
    }
    guard hangs, let worker = readings.first(where: isAmidWork) else { return nil }
    self = .likely(main: main, worker: worker)
  }

  /// Of a process that hung and went on, or did not say how it ended: only what its stacks prove.
  init?(hung threads: [CrashThread], in run: EndedRun) {
    let readings = threads.map { thread in
      WaitingThread(thread, run.frames(of: thread.stack, when: run.end.monotonic), isHung: true)
    }
    if let (main, holder) = Self.ring(in: readings) {
      self = .mutual(main: main, worker: holder)
      return
    }
    if let ring = Self.anyRing(in: readings) {
      self = .ring(ring)
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
    // Without a hang, a waiting main thread is no evidence.
    guard run.mainHang != nil else { return nil }
    // A third that works for a queue may be whom both wait for.
    let workers = readings.filter { $0.isAtWork && $0.thread.onMain != .yes }
    guard let main = readings.first(where: { $0.thread.onMain == .yes && $0.isWaiting }),
      let worker = workers.first(where: \.waitsForQueue), workers.allSatisfy(\.isWaiting)
    else { return nil }
    self = .mutual(main: main, worker: worker)
  }

  /// Of a run that left no stacks but those of its hangs, none of which had ended.
  init?(hangs: [Hang]) {
    let threads = hangs.flatMap(\.holders).compactMap { holder -> WaitingThread? in
      guard let thread = holder.thread, holder.doing == .blocked else { return nil }
      return WaitingThread(
        CrashThread(
          kernelID: thread.id, ordinal: nil, name: thread.name,
          queue: holder.queue.map { Queue(serial: 0, label: $0) }, onMain: .unknown,
          stack: Stack(frames: [], end: .complete), source: .rules), holder.frames, isHung: true)
    }
    guard let circle = WaitCircle(threads) else { return nil }
    self = .circle(circle)
  }

  /// The main thread and the thread that waits for it, if the report names the owner of each lock.
  private static func ring(in readings: [WaitingThread]) -> (WaitingThread, WaitingThread)? {
    let known = Dictionary(
      readings.compactMap { reading in reading.thread.ordinal.map { ($0, reading) } },
      uniquingKeysWith: { first, _ in first })
    guard let main = readings.first(where: { $0.thread.onMain == .yes }) else { return nil }
    var last = main
    for _ in readings {
      guard let next = last.thread.waitsFor.flatMap({ known[$0] }) else { return nil }
      if next.thread.ordinal == main.thread.ordinal {
        return last.thread.ordinal == main.thread.ordinal ? nil : (main, last)
      }
      last = next
    }
    return nil
  }

  /// Threads each of which waits for a lock of the next one, and the last for one of the first.
  private static func anyRing(in readings: [WaitingThread]) -> [WaitingThread]? {
    let known = Dictionary(
      readings.compactMap { reading in reading.thread.ordinal.map { ($0, reading) } },
      uniquingKeysWith: { first, _ in first })
    for start in readings where start.thread.waitsFor != nil {
      var ring = [start]
      while ring.count <= readings.count,
        let next = ring[ring.count - 1].thread.waitsFor.flatMap({ known[$0] })
      {
        if next.thread.ordinal == start.thread.ordinal { return ring.count > 1 ? ring : nil }
        if ring.contains(where: { $0.thread.ordinal == next.thread.ordinal }) { break }
        ring.append(next)
      }
    }
    return nil
  }

  /// The two threads that wait for locks, where all others are idle, have no code of the program's own or wait for a
  /// thread's end.
  private static func lockPair(in readings: [WaitingThread]) -> (WaitingThread, WaitingThread)? {
    let waiting = readings.filter(\.waitsForLock)
    let others = readings.filter { !$0.waitsForLock && $0.reading.touched != nil }
    guard waiting.count == 2, others.allSatisfy(\.waitsForThread),
      waiting.allSatisfy({ $0.thread.waitsFor == nil }),
      waiting[0].reading.touched != waiting[1].reading.touched
    else { return nil }
    return (waiting[0], waiting[1])
  }

  /// The two threads that alone work for queues, where both wait for one. A third may be whom they wait
  /// for, be it busy or waiting itself.
  private static func pair(in readings: [WaitingThread]) -> (WaitingThread, WaitingThread)? {
    let workers = readings.filter(\.isAtWork)
    guard workers.count == 2,
      workers.allSatisfy({ $0.thread.onMain != .yes && $0.waitsForQueue }),
      workers[0].thread.queue?.serial != workers[1].thread.queue?.serial
    else { return nil }
    return (workers[0], workers[1])
  }
}

/// A thread that waits, and the awaited lock or event.
struct WaitingThread {
  let thread: CrashThread
  let reading: StackReading
  /// The frames of the program's own functions, innermost first.
  let code: [CodePlace]
  let isWaiting: Bool
  let waitsForQueue: Bool
  let waitsForLock: Bool
  /// Whether it waits for another thread's end.
  let waitsForThread: Bool
  /// Whether it waits for a queue or for a lock, which another thread holds.
  var waitsForGuard: Bool { reading.touched != nil && (waitsForQueue || waitsForLock) }
  /// Whether the program's entry waits, not work that a queue runs.
  let isAtEntry: Bool
  /// Whether it may be amid work of a queue: it has one or is the main queue's, and code of the program's
  /// own on its stack, or no stack that would tell.
  let isAtWork: Bool

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
    waitsForLock = reading.touched != nil && names.contains(where: WaitFunctions.isLock)
    waitsForThread = names.contains { $0.contains("pthread_join") || $0.contains("Thread.join") }
    let isWait = isHung ? WaitFunctions.isWait : WaitFunctions.isForWork
    isWaiting = reading.touched != nil && (waitsForQueue || names.contains(where: isWait))
  }

  /// The thread in words.
  func name(in run: RunState) -> String {
    thread.ordinal.map(run.thread) ?? run.thread(kernelID: thread.kernelID, thread.name)
  }
}

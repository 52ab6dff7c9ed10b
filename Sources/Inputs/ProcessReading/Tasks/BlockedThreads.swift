import IncidentModel

/// Determines what threads wait for in system calls: queues, locks, the ends of other threads.
struct BlockedThreads {
  private let reader: WordReader
  /// By the ids that the process itself gives them.
  private let threads: [Int: ScannedThread]
  private let dispatch: DispatchQueues
  /// The threads that run on each queue, by their kernel ids.
  private var runners: [UInt64: [Int]] = [:]
  private(set) var waits: [Int: PictureThread.Wait] = [:]
  private(set) var queues: [PictureQueue] = []
  private(set) var locks: [UInt64: Int] = [:]

  private static let ownerMask: UInt32 = 0x3fff_ffff
  private static let hasWaiters: UInt32 = 0x8000_0000

  /// The numbers of system calls on this machine.
  private enum Call {
    #if arch(arm64)
      static let futex = 98
      static let restarted = 128
      static let sleeps = [101, 115]
    #else
      static let futex = 202
      static let restarted = 219
      static let sleeps = [35, 230]
    #endif
  }

  /// Offsets in Dispatch's record of a synchronous wait for a queue. The thread waits on the futex
  /// in `event`.
  private enum SyncContext {
    static let event: UInt64 = 96
    static let itself: UInt64 = 40
    static let queue: UInt64 = 56
    static let waiter: UInt64 = 100
  }

  private static let mostTargets = 16

  init(_ threads: [ScannedThread], _ reader: WordReader) {
    self.reader = reader
    self.threads = Dictionary(
      threads.map { ($0.ownID, $0) }, uniquingKeysWith: { first, _ in first })
    dispatch = DispatchQueues(threads, reader)
    let queues = threads.map { ($0, dispatch.queues(of: $0)) }
    for (thread, own) in queues {
      for queue in own where dispatch.target(of: queue) != 0 {
        runners[queue, default: []].append(thread.kernelID)
      }
    }
    for (thread, own) in queues {
      waits[thread.kernelID] = thread.call.map { wait(of: thread, in: $0) }
      // A queue matters whose work is blocked while more of it waits.
      guard let wait = waits[thread.kernelID], wait != .work else { continue }
      for queue in own where kernelID(dispatch.owner(of: queue)) == thread.kernelID {
        if dispatch.jobs(on: queue) != nil { _ = note(queue) }
      }
    }
  }

  private func kernelID(_ ownID: Int?) -> Int? { ownID.flatMap { threads[$0]?.kernelID } }

  /// The kernel ids of the threads that wait for work.
  var idle: Set<Int> { Set(waits.filter { $0.value == .work }.keys) }

  /// The thread with its wait. Tasks and actors are added later.
  func thread(_ thread: ScannedThread) -> PictureThread {
    var told = PictureThread(kernelID: thread.kernelID)
    told.wait = waits[thread.kernelID]
    told.used = thread.used
    told.isRunnable = thread.isRunnable
    return told
  }

  private mutating func wait(
    of thread: ScannedThread, in call: NativeThread.Call
  ) -> PictureThread.Wait {
    // A call for a limited time that was interrupted goes on under a number that does not say which one it is; its arguments
    // stay.
    guard call.number == Call.futex || call.number == Call.restarted, call.arguments.count >= 3,
      reader.half(at: call.arguments[0]) != nil
    else { return (Call.sleeps + [Call.restarted]).contains(call.number) ? .time : .call }
    let word = call.arguments[0]
    if let queue = queue(awaitedBy: thread, at: word) { return .queue(queue) }
    if let other = ended(word) { return .thread(other) }
    if let owner = kernelID(owner(ofLockAt: word, call)), owner != thread.kernelID {
      locks[word] = owner
      return .lock(word)
    }
    if dispatch.isDispatchOwn(word) { return .work }
    // A wait with a limit ends by itself.
    let hasLimit = call.arguments.count > 3 && call.arguments[3] != 0
    return hasLimit ? .time : .signal(word)
  }

  /// The queue that a synchronous call waits for. The wait record on the stack contains its own
  /// address and the thread id.
  private mutating func queue(awaitedBy thread: ScannedThread, at word: UInt64) -> UInt64? {
    let context = word &- SyncContext.event
    guard reader.word(at: context &+ SyncContext.itself) == context,
      reader.half(at: context &+ SyncContext.waiter) == UInt32(truncatingIfNeeded: thread.ownID),
      let called = reader.word(at: context &+ SyncContext.queue)
    else { return nil }
    var next = called
    for _ in 0..<Self.mostTargets {
      if next == 0 { break }
      if let owner = kernelID(dispatch.owner(of: next)), owner != thread.kernelID {
        return note(next)
      }
      // A concurrent queue has no owner: a barrier waits for all of its threads, and other calls wait for the barrier.
      if !dispatch.isSuspended(next), runners[next] != nil { return note(next) }
      guard let target = dispatch.target(of: next) else { break }
      next = target
    }
    return note(called)
  }

  private mutating func note(_ queue: UInt64) -> UInt64 {
    if !queues.contains(where: { $0.address == queue }), let noted = self.queue(at: queue) {
      queues.append(noted)
    }
    return queue
  }

  /// The queue at `address`; nil if its memory is not readable.
  func queue(at address: UInt64) -> PictureQueue? {
    guard dispatch.target(of: address) != nil else { return nil }
    var queue = PictureQueue(
      address: address, label: dispatch.label(of: address),
      holder: kernelID(dispatch.owner(of: address)))
    if queue.holder == nil, !dispatch.isSuspended(address) {
      queue.runners = runners[address] ?? []
    }
    queue.jobs = dispatch.jobs(on: address)
    return queue
  }

  /// The thread that `pthread_join` waits for: the kernel clears the thread id in the thread's
  /// descriptor.
  private func ended(_ word: UInt64) -> Int? {
    guard let id = reader.half(at: word).map(Int.init), let thread = threads[id],
      word > thread.threadPointer, word - thread.threadPointer < 4096
    else { return nil }
    return thread.kernelID
  }

  private func owner(ofLockAt word: UInt64, _ call: NativeThread.Call) -> Int? {
    guard let value = reader.half(at: word) else { return nil }
    let operation = call.arguments[1] & 0x7f
    let inWord = Int(value & Self.ownerMask)
    switch operation {
    // A priority-inheritance futex word contains the owner's id.
    case 6, 13: return threads[inWord] == nil ? nil : inWord
    case 0, 9:
      // Lock words of Dispatch and the Swift runtime contain the owner's id; the highest bit means
      // that other threads wait.
      if value & Self.hasWaiters != 0, threads[inWord] != nil { return inWord }
      let expected = UInt32(truncatingIfNeeded: call.arguments[2])
      // A contended glibc mutex has the value 2, and the owner's id follows.
      if expected == 2, value == 2, let owner = reader.half(at: word &+ 8).map(Int.init),
        threads[owner] != nil
      {
        return owner
      }
      // A read-write lock has the writer's id after the two futex words.
      for offset in [16, 12] as [UInt64] {
        if let owner = reader.half(at: word &+ offset).map(Int.init), threads[owner] != nil,
          isReadWriteLock(word &+ offset &- 24)
        {
          return owner
        }
      }
      return nil
    default: return nil
    }
  }

  /// True if `address` holds a read-write lock that is locked for writing.
  private func isReadWriteLock(_ address: UInt64) -> Bool {
    guard let readers = reader.half(at: address), let shared = reader.half(at: address &+ 28) else {
      return false
    }
    // The lowest two bits mean that the lock is held for writing.
    return readers & 2 != 0 && shared <= 1
  }
}

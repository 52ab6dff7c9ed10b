import IncidentModel

/// Tells what threads wait for in system calls: queues, locks, the ends of other threads.
struct BlockedThreads {
  private let reader: WordReader
  private let threads: [Int: ScannedThread]
  private(set) var waits: [Int: PictureThread.Wait] = [:]
  private(set) var queues: [PictureQueue] = []
  private(set) var locks: [UInt64: Int] = [:]

  private static let ownerMask: UInt32 = 0x3fff_ffff
  private static let hasWaiters: UInt32 = 0x8000_0000

  /// Calls by their numbers on both machines.
  private enum Call {
    #if arch(arm64)
      static let futex = 98
      static let restarted = 128
    #else
      static let futex = 202
      static let restarted = 219
    #endif
  }

  /// Offsets in Dispatch's record of a wait for a queue; the futex of the thread is its event.
  private enum SyncContext {
    static let event: UInt64 = 96
    static let itself: UInt64 = 40
    static let queue: UInt64 = 56
    static let waiter: UInt64 = 100
  }

  private enum QueueLayout {
    static let target: UInt64 = 24
    static let state: UInt64 = 56
    static let label: UInt64 = 72
    static let mostTargets = 16
  }

  init(_ threads: [ScannedThread], _ reader: WordReader) {
    self.reader = reader
    self.threads = Dictionary(
      threads.map { ($0.kernelID, $0) }, uniquingKeysWith: { first, _ in first })
    for thread in threads {
      waits[thread.kernelID] = thread.call.map { wait(of: thread, in: $0) }
    }
  }

  /// The threads that wait for work, by their kernel ids.
  var idle: Set<Int> { Set(waits.filter { $0.value == .work }.keys) }

  /// The thread with its wait; tasks and actors are added later.
  func thread(_ thread: ScannedThread) -> PictureThread {
    var told = PictureThread(kernelID: thread.kernelID)
    told.wait = waits[thread.kernelID]
    return told
  }

  private mutating func wait(
    of thread: ScannedThread, in call: NativeThread.Call
  ) -> PictureThread.Wait {
    // A call that was interrupted goes on under a number that does not say which one it is; its arguments stay.
    guard call.number == Call.futex || call.number == Call.restarted, call.arguments.count >= 3,
      reader.half(at: call.arguments[0]) != nil
    else { return .call }
    let word = call.arguments[0]
    if let queue = queue(awaitedBy: thread, at: word) { return .queue(queue) }
    if let other = ended(word) { return .thread(other) }
    if let owner = owner(ofLockAt: word, call), owner != thread.kernelID {
      locks[word] = owner
      return .lock(word)
    }
    if isDispatchOwn(word) { return .work }
    // A wait with a limit ends by itself.
    let hasLimit = call.arguments.count > 3 && call.arguments[3] != 0
    return hasLimit ? .call : .signal(word)
  }

  /// The queue that a synchronous call waits for. Its record on the stack names itself and the thread.
  private mutating func queue(awaitedBy thread: ScannedThread, at word: UInt64) -> UInt64? {
    let context = word &- SyncContext.event
    guard reader.word(at: context &+ SyncContext.itself) == context,
      reader.half(at: context &+ SyncContext.waiter) == UInt32(truncatingIfNeeded: thread.kernelID),
      let called = reader.word(at: context &+ SyncContext.queue)
    else { return nil }
    var next = called
    for _ in 0..<QueueLayout.mostTargets where next != 0 {
      guard let state = reader.word(at: next &+ QueueLayout.state),
        let target = reader.word(at: next &+ QueueLayout.target)
      else { break }
      let owner = Int(UInt32(truncatingIfNeeded: state) & Self.ownerMask)
      if owner != 0, owner != thread.kernelID, threads[owner] != nil {
        return note(next, holder: owner)
      }
      next = target
    }
    return note(called, holder: nil)
  }

  private mutating func note(_ queue: UInt64, holder: Int?) -> UInt64 {
    if !queues.contains(where: { $0.address == queue }) {
      queues.append(PictureQueue(address: queue, label: label(of: queue), holder: holder))
    }
    return queue
  }

  private func label(of queue: UInt64) -> String {
    reader.word(at: queue &+ QueueLayout.label).flatMap { reader.text(at: $0) } ?? ""
  }

  /// The queue at `address`; nil if its memory is not readable.
  func queue(at address: UInt64) -> PictureQueue? {
    guard let state = reader.word(at: address &+ QueueLayout.state) else { return nil }
    let owner = Int(UInt32(truncatingIfNeeded: state) & Self.ownerMask)
    return PictureQueue(
      address: address, label: label(of: address), holder: threads[owner] == nil ? nil : owner)
  }

  /// The thread that `pthread_join` waits for: the kernel clears the id in its descriptor.
  private func ended(_ word: UInt64) -> Int? {
    guard let id = reader.half(at: word).map(Int.init), let thread = threads[id],
      word > thread.threadPointer, word - thread.threadPointer < 4096
    else { return nil }
    return id
  }

  private func owner(ofLockAt word: UInt64, _ call: NativeThread.Call) -> Int? {
    guard let value = reader.half(at: word) else { return nil }
    let operation = call.arguments[1] & 0x7f
    let inWord = Int(value & Self.ownerMask)
    switch operation {
    // With priority inheritance the word is the owner's id.
    case 6, 13: return threads[inWord] == nil ? nil : inWord
    case 0, 9:
      // So it is in locks of Dispatch and the Swift runtime, where the highest bit says that others wait.
      if value & Self.hasWaiters != 0, threads[inWord] != nil { return inWord }
      let expected = UInt32(truncatingIfNeeded: call.arguments[2])
      // A mutex of glibc that others wait for is 2; its owner follows.
      if expected == 2, value == 2, let owner = reader.half(at: word &+ 8).map(Int.init),
        threads[owner] != nil
      {
        return owner
      }
      // A lock for reading and writing has the writer behind the two words that threads wait on.
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

  /// Whether a lock for reading and writing that a thread has for writing begins at `address`.
  private func isReadWriteLock(_ address: UInt64) -> Bool {
    guard let readers = reader.half(at: address), let shared = reader.half(at: address &+ 28) else {
      return false
    }
    // Its two lowest bits say that it is held for writing.
    return readers & 2 != 0 && shared <= 1
  }

  /// Whether a word is one of Dispatch's own, on which the threads of its pools wait for work.
  private func isDispatchOwn(_ word: UInt64) -> Bool {
    guard let region = reader.region(at: word) else { return false }
    if !region.path.isEmpty { return region.path.contains("libdispatch") }
    // Data that begins as zero is mapped behind the file.
    return reader.region(at: region.range.lowerBound &- 1)?.path.contains("libdispatch") == true
  }
}

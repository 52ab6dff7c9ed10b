import CrashCapture
import Dispatch
import Glibc
import Synchronization

/// Ways in which something else than the main queue stops answering; recorded after 300 ms of it.
let pools: [String: Way] = [
  "pool-blocked": poolBlocked, "pool-taken": poolTaken,
  "pool-taken-at-once": poolTakenAtOnce,
  "pool-deadlock": poolDeadlock,
  "queue-blocked": queueBlocked, "actor-blocked": actorBlocked, "loop-blocked": loopBlocked,
]

private let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
private let isTold = Atomic<Bool>(false)
private let watches = Mutex<[HangWatch]>([])

/// Ends the program once the hang is on file, and its end.
private func endOnceTold() {
  whenHangIsOnFile {
    isTold.store(true, ordering: .relaxed)
    close(pipeEnds[1])
    whenOnFile("answers again", finish)
  }
}

private func endSoon() {
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(900)) { finish() }
}

/// What is never written to, and closed once the hang is on file.
private let pipeEnds = {
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  return ends
}()

/// A second at most: what had not answered before its turn came is not watched yet, and gets another turn.
@inline(never)
private func readSlowly() {
  var end = pollfd(fd: pipeEnds[0], events: Int16(POLLIN), revents: 0)
  poll(&end, 1, 1_000)
  keepFrame()
}

@Sendable private func poolBlocked(_ isWrong: Bool) {
  for _ in 0..<processors {
    Task.detached {
      while isWrong && !isTold.load(ordering: .relaxed) { readSlowly() }
      if !isWrong { try? await Task.sleep(for: .milliseconds(800)) }
    }
  }
  if isWrong { endOnceTold() } else { endSoon() }
}

/// No task holds the pool: blocks on the global queue do, which has the same threads. They are more than the ones
/// that Dispatch adds, one each second, where all of them sleep.
@Sendable private func poolTaken(_ isWrong: Bool) { takePool(isWrong, afterMilliseconds: 200) }

/// Before the pool has answered once.
@Sendable private func poolTakenAtOnce(_ isWrong: Bool) { takePool(isWrong, afterMilliseconds: 0) }

private func takePool(_ isWrong: Bool, afterMilliseconds delay: Int) {
  Task.detached { keepFrame() }
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(delay)) {
    for _ in 0..<64 {
      DispatchQueue.global().async {
        while isWrong && !isTold.load(ordering: .relaxed) { readSlowly() }
      }
    }
  }
  if isWrong { endOnceTold() } else { endSoon() }
}

/// Each thread of the pool waits for a task that needs one of them.
@Sendable private func poolDeadlock(_ isWrong: Bool) {
  for _ in 0..<processors {
    Task.detached {
      if isWrong { waitForRows() } else { await Task.detached { keepFrame() }.value }
    }
  }
  if isWrong { whenHangIsOnFile { kill(getpid(), SIGKILL) } } else { endSoon() }
}

private let taken = Atomic<Int>(0)

@inline(never)
private func waitForRows() {
  let loaded = DispatchSemaphore(value: 0)
  // All threads are taken before what they wait for is sent.
  taken.add(1, ordering: .relaxed)
  while taken.load(ordering: .relaxed) < processors { usleep(100) }
  Task.detached { loaded.signal() }
  loaded.wait()
  keepFrame()
}

@Sendable private func queueBlocked(_ isWrong: Bool) {
  let queue = DispatchQueue(label: "com.example.rows")
  let watch = HangWatch(queue: queue, threshold: .milliseconds(300))
  holdAgain(isWrong) { work in queue.async(execute: work) }
  if isWrong { endOnceTold() } else { endSoon() }
  watches.withLock { $0.append(watch) }
}

private actor Ledger {
  func hold() { readSlowly() }
}

@Sendable private func actorBlocked(_ isWrong: Bool) {
  let ledger = Ledger()
  let watch = HangWatch(actor: ledger, threshold: .milliseconds(300))
  work.enter()
  Task.detached {
    try? await Task.sleep(for: .milliseconds(100))
    while isWrong && !isTold.load(ordering: .relaxed) {
      await ledger.hold()
      try? await Task.sleep(for: .milliseconds(100))
    }
    if !isWrong { try? await Task.sleep(for: .milliseconds(600)) }
    watch.cancel()
    work.leave()
  }
  if isWrong { endOnceTold() } else { endSoon() }
}

/// An event loop without a queue: a thread that runs what it is handed.
private final class Loop: Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  private let comes = DispatchSemaphore(value: 0)

  func execute(_ work: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(work) }
    comes.signal()
  }

  func start() {
    typealias ThreadBody = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    let body: ThreadBody = { loop in
      let loop = Unmanaged<Loop>.fromOpaque(loop!).takeRetainedValue()
      while true {
        loop.comes.wait()
        let work = loop.waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        work?()
      }
    }
    var thread = pthread_t()
    pthread_create(&thread, nil, body, Unmanaged.passRetained(self).toOpaque())
  }
}

@Sendable private func loopBlocked(_ isWrong: Bool) {
  let loop = Loop()
  loop.start()
  let watch = HangWatch(named: "connections", threshold: .milliseconds(300)) { beat in
    loop.execute { beat() }
  }
  holdAgain(isWrong) { work in loop.execute(work) }
  if isWrong { endOnceTold() } else { endSoon() }
  watches.withLock { $0.append(watch) }
}

/// Hands over work that takes long until that is on file, or that takes no time at all.
@Sendable private func holdAgain(
  _ isWrong: Bool, _ send: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
) {
  send {
    if isWrong { readSlowly() }
    guard !isTold.load(ordering: .relaxed) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
      holdAgain(isWrong, send)
    }
  }
}

import CCrashHandler
import Dispatch
import Glibc
import Synchronization

/// Ways in which the main queue stops answering; a hang is recorded after 300 ms of it.
let hangs: [String: Way] = [
  "hang": hang, "hang-then-killed": hangThenKilled, "hang-then-exit": hangThenExit,
  "worker-deadlock": workerDeadlock,
  "semaphore-deadlock": semaphoreDeadlock, "group-deadlock": groupDeadlock,
  "long-wait": longWait, "parked-main": parkedMain,
]

/// A hang is seen only once the main queue has answered, for some services never run theirs.
private func soon(_ next: @escaping @Sendable () -> Void) {
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) {
    if ms_hang_watch_is_armed() { next() } else { soon(next) }
  }
}

private func endOnceItHangs(by signal: Int32) {
  whenHangIsOnFile { kill(getpid(), signal) }
}

private let isRead = Atomic<Bool>(false)

/// Sleeps on where the look at its stack has woken it.
@inline(never)
private func readSlowly(forMilliseconds count: Int) {
  // Asleep for long: on a machine that is busy, short naps are mostly waits for a processor.
  let nap = min(count, 200)
  for _ in 0..<(count / nap) where !isRead.load(ordering: .relaxed) { usleep(UInt32(nap) * 1_000) }
  keepFrame()
}

@Sendable private func hang(_ isWrong: Bool) {
  if isWrong { whenHangIsOnFile { isRead.store(true, ordering: .relaxed) } }
  soon {
    readSlowly(forMilliseconds: isWrong ? 20_000 : 1)
    keepFrame()
    if isWrong { whenOnFile("answers again", finish) } else { finish() }
  }
}

@Sendable private func hangThenKilled(_ isWrong: Bool) {
  if isWrong { endOnceItHangs(by: SIGKILL) }
  soon {
    readSlowly(forMilliseconds: isWrong ? 20_000 : 1)
    keepFrame()
    finish()
  }
}

/// A watchdog of the program's own ends it.
@Sendable private func hangThenExit(_ isWrong: Bool) {
  if isWrong { whenHangIsOnFile { giveUp() } }
  soon {
    readSlowly(forMilliseconds: isWrong ? 20_000 : 1)
    keepFrame()
    finish()
  }
}

@inline(never)
private func giveUp() {
  exit(1)
}

/// Both wait by `sync`, each for the other's queue.
@Sendable private func workerDeadlock(_ isWrong: Bool) {
  let worker = DispatchQueue(label: "com.example.worker")
  if isWrong { endOnceItHangs(by: SIGQUIT) }
  soon {
    worker.async {
      if isWrong { showFromWorker() }
    }
    waitForWorker(worker)
    finish()
  }
}

@inline(never)
private func waitForWorker(_ worker: DispatchQueue) {
  worker.sync { keepFrame() }
  keepFrame()
}

/// The worker waits for a block that it sent to the main queue, by a semaphore of its own; a
/// supervisor ends the program as one does that heard no beat from it.
@Sendable private func semaphoreDeadlock(_ isWrong: Bool) {
  let worker = DispatchQueue(label: "com.example.worker")
  if isWrong { endOnceItHangs(by: SIGABRT) }
  soon {
    let loaded = DispatchSemaphore(value: 0)
    worker.async {
      askMain(andWait: isWrong)
      loaded.signal()
    }
    waitUntil(loaded)
    finish()
  }
}

@inline(never)
private func waitUntil(_ loaded: DispatchSemaphore) {
  loaded.wait()
  keepFrame()
}

@inline(never)
private func askMain(andWait waits: Bool) {
  let shown = DispatchSemaphore(value: 0)
  DispatchQueue.main.async { shown.signal() }
  if waits { shown.wait() }
  keepFrame()
}

@Sendable private func groupDeadlock(_ isWrong: Bool) {
  let worker = DispatchQueue(label: "com.example.worker")
  if isWrong { endOnceItHangs(by: SIGQUIT) }
  soon {
    let group = DispatchGroup()
    worker.async(group: group) {
      if isWrong { showFromWorker() }
    }
    waitForAll(group)
    finish()
  }
}

@inline(never)
private func waitForAll(_ group: DispatchGroup) {
  group.wait()
  keepFrame()
}

/// The main queue waits for a worker that works, and waits for nobody.
@Sendable private func longWait(_ isWrong: Bool) {
  let worker = DispatchQueue(label: "com.example.worker")
  endOnceItHangs(by: SIGQUIT)
  soon {
    worker.async { readSlowly(forMilliseconds: 20_000) }
    if isWrong { waitForWorker(worker) }
  }
}

/// A service whose main thread waits for its end, which is no hang, while one queue waits for another.
@Sendable private func parkedMain(_ isWrong: Bool) {
  let store = DispatchQueue(label: "com.example.store")
  store.async { readSlowly(forMilliseconds: 20_000) }
  let waiter = Waiter()
  DispatchQueue(label: "com.example.worker").async {
    waiter.waitsNext()
    waitForWorker(store)
  }
  DispatchQueue.global().async {
    waiter.untilItWaits()
    kill(getpid(), SIGQUIT)
  }
  DispatchSemaphore(value: 0).wait()
}

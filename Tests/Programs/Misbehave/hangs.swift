import Dispatch
import Glibc

/// Ways in which the main queue stops answering; a hang is recorded after 300 ms of it.
let hangs: [String: Way] = [
  "hang": hang, "hang-then-killed": hangThenKilled, "worker-deadlock": workerDeadlock,
  "semaphore-deadlock": semaphoreDeadlock, "group-deadlock": groupDeadlock,
  "long-wait": longWait, "parked-main": parkedMain,
]

/// The main queue answers for a while before what comes next; only then can it be seen to hang.
private func soon(_ work: @escaping @Sendable () -> Void) {
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(200), execute: work)
}

private func end(by signal: Int32, after milliseconds: Int = 900) {
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
    kill(getpid(), signal)
  }
}

/// Sleeps on where the look at its stack has woken it.
@inline(never)
private func readSlowly(for microseconds: Int) {
  var rest = timespec(tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1_000)
  withUnsafeMutablePointer(to: &rest) { while nanosleep($0, $0) != 0 {} }
  keepFrame()
}

@Sendable private func hang(_ isWrong: Bool) {
  soon {
    readSlowly(for: isWrong ? 900_000 : 1_000)
    keepFrame()
    finish(after: 300)
  }
}

@Sendable private func hangThenKilled(_ isWrong: Bool) {
  if isWrong { end(by: SIGKILL) }
  soon {
    readSlowly(for: isWrong ? 20_000_000 : 1_000)
    keepFrame()
    finish()
  }
}

/// Both wait by `sync`, each for the other's queue.
@Sendable private func workerDeadlock(_ isWrong: Bool) {
  let worker = DispatchQueue(label: "com.example.worker")
  if isWrong { end(by: SIGQUIT) }
  soon {
    worker.async {
      usleep(20_000)
      if isWrong { showFromWorker() }
    }
    usleep(5_000)
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
  if isWrong { end(by: SIGABRT) }
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
  if isWrong { end(by: SIGQUIT) }
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
  end(by: SIGQUIT)
  soon {
    worker.async { readSlowly(for: 20_000_000) }
    usleep(5_000)
    if isWrong { waitForWorker(worker) }
  }
}

/// A service whose main thread waits for its end, which is no hang, while one queue waits for another.
@Sendable private func parkedMain(_ isWrong: Bool) {
  let store = DispatchQueue(label: "com.example.store")
  store.async { readSlowly(for: 20_000_000) }
  DispatchQueue(label: "com.example.worker").asyncAfter(deadline: .now() + .milliseconds(50)) {
    waitForWorker(store)
  }
  end(by: SIGQUIT)
  DispatchSemaphore(value: 0).wait()
}

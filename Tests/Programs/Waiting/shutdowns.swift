import Breadcrumbs
import CCrashHandler
import CRecorder
import Dispatch
import Foundation
import Glibc
import Synchronization

/// Serial queues that no declaration of their own names.
private let queues = (0..<2).map {
  DispatchQueue(label: "com.example.\($0 == 0 ? "debit" : "credit")")
}
private let locks = (0..<2).map { _ in NSLock() }
/// How many threads hold their first queue or lock.
private let holding = Atomic(0)

private func onceBothHold() {
  holding.add(1, ordering: .relaxed)
  while holding.load(ordering: .relaxed) < 2 { usleep(1000) }
}

@inline(never) private func pay() {
  queues[0].sync {
    onceBothHold()
    queues[1].sync { print("paid") }
  }
}

@inline(never) private func refund() {
  queues[1].sync {
    onceBothHold()
    queues[0].sync { print("refunded") }
  }
}

@inline(never) private func lockBoth(_ first: Int) {
  locks[first].lock()
  onceBothHold()
  locks[1 - first].lock()
  print("locked")
}

private let polls = Atomic(0)

/// Goes on when it is cancelled, and then does not sleep any more.
@inline(never) private func poll() async {
  while true {
    try? await Task.sleep(for: .seconds(5))
    polls.add(1, ordering: .relaxed)
  }
}

@inline(never) private func compute() async {
  while true { polls.add(1, ordering: .relaxed) }
}

/// Two threads that take the same queues, and never one after the other in the wrong order.
@inline(never) private func contend(_ first: Bool) {
  while true {
    if first {
      queues[0].sync { queues[1].sync { _ = usleep(100) } }
    } else {
      queues[1].sync { _ = usleep(100) }
      queues[0].sync { _ = usleep(100) }
    }
  }
}

/// A worker that holds a queue for long, and one that waits for it: both come to an end.
@inline(never) private func drain() {
  Thread.detachNewThread {
    queues[1].sync {
      Thread.detachNewThread { queues[0].sync { queues[1].sync { print("drained") } } }
      sleep(600)
    }
  }
}

/// A request that waits for a lock, a queue or a sleep.
private func request(_ token: UInt64, _ work: () -> Void) {
  ms_request_begins(token)
  work()
  ms_request_ends(token)
}

private struct Mails {
  @inline(never) func run() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}

/// A service whose shutdown no signal announces, as the adapter for services records it.
private func shutDown(endingAfter milliseconds: Int? = nil) {
  Task.detached { await Mails().run() }
  let crumbs = MainActor.assumeIsolated { recorder }
  @Sendable func record(_ message: String) {
    crumbs.record(
      message, level: .info, category: "service", data: ["service": "mails", "type": "Mails"])
  }
  record("service begins")
  let shutdown = ServiceShutdown()
  shutdown.begin()
  record("service is asked to end")
  guard let milliseconds else { return }
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
    shutdown.end()
    record("service ends")
  }
}

/// What keeps a request from its answer.
let requests: [String: @Sendable () -> Void] = [
  "stuck-request": {
    Thread.detachNewThread { request(7) { pay() } }
    Thread.detachNewThread { request(8) { refund() } }
  },
  "slow-request": {
    Thread.detachNewThread { request(7) { sleep(600) } }
    Thread.detachNewThread { request(8) { sleep(600) } }
  },
  "quick-requests": {
    Thread.detachNewThread {
      for token in 1... {
        request(UInt64(token)) { usleep(200_000) }
        print("answered")
        fflush(nil)
      }
    }
  },
]

/// What keeps a process from its end after a SIGTERM that it takes.
let shutdowns: [String: @Sendable () -> Void] = [
  "queues-off-pool": {
    Thread.detachNewThread { pay() }
    Thread.detachNewThread { refund() }
    hear(SIGTERM) {}
  },
  "queues-on-pool": {
    Task.detached { pay() }
    Task.detached { refund() }
    hear(SIGTERM) {}
  },
  "queues-on-known-pool": {
    hear(SIGTERM) {}
    Thread.detachNewThread {
      // The pool has answered by then, so the watch finds its threads.
      Task.detached { for _ in 0..<100 { await Task.yield() } }
      while ms_hang_watch_beats() < 12 { usleep(1000) }
      Task.detached { pay() }
      Task.detached { refund() }
    }
  },
  "locks-off-pool": {
    Thread.detachNewThread { lockBoth(0) }
    Thread.detachNewThread { lockBoth(1) }
    hear(SIGTERM) {}
  },
  "spinning": {
    let task = Task.detached { await poll() }
    hear(SIGTERM) { task.cancel() }
  },
  "computing": {
    Task.detached { await compute() }
    hear(SIGTERM) {}
  },
  "contending": {
    Thread.detachNewThread { contend(true) }
    Thread.detachNewThread { contend(false) }
    hear(SIGTERM) {}
  },
  "unannounced": { shutDown() },
  "unannounced-and-ended": {
    shutDown(endingAfter: 3000)
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(8)) { exit(0) }
  },
  "draining": {
    drain()
    hear(SIGTERM) {}
  },
  "ending": {
    let task = Task.detached { await poll() }
    hear(SIGTERM) {
      task.cancel()
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(8)) { exit(0) }
    }
  },
]

import CVictims
import CrashCapture
import Dispatch
import Foundation
import Synchronization

/// What tasks do, and how the process ends, by name.
let scenes: [String: @Sendable () -> Void] = [
  "places": {
    Task.detached {
      await waitOften(3)
      for _ in 0..<3 { Task.detached { await askForPrices() } }
      Task.detached { await askForStock() }
      endOnceWaiting(5)
    }
  },
  "resumed": {
    // The one that has waited longest goes on a moment before the end, and runs.
    Task.detached {
      Task.detached { await askForStock() }
      let asked = Desk()
      Task.detached {
        await asked.wait()
        quit()
      }
      asked.answer()
    }
  },
  "elsewhere": {
    // It waits for its second continuation, in another place than for its first.
    Task.detached {
      Task.detached {
        await answerElsewhere()
        await askForPrices()
      }
      endOnceWaiting(1)
    }
  },
  "cancelled": {
    let task = Task.detached { await askUntilCancelled() }
    Task.detached {
      Task.detached { await askForStock() }
      endOnceWaiting(
        2,
        before: {
          task.cancel()
          await task.value
        })
    }
  },
  "sleeping": {
    // Waits in the runtime's own functions follow a wait of the program's own.
    for _ in 0..<4 {
      Task.detached {
        await answerAtOnce()
        try? await Task.sleep(for: .seconds(600))
      }
    }
    Task.detached {
      await answerAtOnce()
      await Task.detached { try? await Task.sleep(for: .seconds(600)) }.value
    }
    Task.detached {
      await answerAtOnce()
      for await _ in AsyncStream<Int>(unfolding: {
        try? await Task.sleep(for: .seconds(600)); return 1
      }) {}
    }
    quitSoon()
  },
  "filled": {
    // The memory of 20,000 tasks that have ended.
    Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<20_000 { group.addTask { await askForPrices() } }
        while unanswered.withLock({ $0.count }) < 20_000 { usleep(1000) }
        for asked in unanswered.withLock({ $0 }) { asked.resume() }
        unanswered.withLock { $0 = [] }
      }
      Task.detached { await askForStock() }
      endOnceWaiting(2)
    }
  },
  "crowd": {
    for _ in 0..<10_000 { Task.detached { await askForPrices() } }
    endOnceWaiting(10_001)
  },
  "creating": {
    let ready = Atomic(0)
    for _ in 0..<2 {
      Thread.detachNewThread {
        for count in 0..<200_000 {
          Task.detached { await askForPrices() }
          if count == 1000 { ready.add(1, ordering: .relaxed) }
        }
      }
    }
    while ready.load(ordering: .relaxed) < 2 { usleep(1000) }
    crash()
  },
  "malloc": {
    Task.detached {
      Task.detached { await askForStock() }
      while unanswered.withLock({ $0.isEmpty }) { usleep(1000) }
      die_malloc_lock_held()
    }
  },
  "copies": {
    // The waiting task is on the heap once, and its copies lack its records' address.
    Task.detached {
      let task = Mutex<UInt>(0)
      Task.detached {
        withUnsafeCurrentTask { current in
          task.withLock { $0 = unsafeBitCast(current, to: UInt.self) }
        }
        await askForStock()
      }
      while unanswered.withLock({ $0.isEmpty }) { usleep(1000) }
      usleep(50_000)
      imitate(task.withLock { $0 })
      quit()
    }
  },
  "large": {
    Task.detached { await askForStock() }
    fill(megabytes: 512)
    quitSoon()
  },
  "vanishing": {
    Task.detached { await askForStock() }
    for _ in 0..<2 { Thread.detachNewThread { while true { mapAndUnmap(megabytes: 32) } } }
    onceWatched { while true { Thread.sleep(forTimeInterval: 1) } }
  },
  "churn": {
    for _ in 0..<3 { Task.detached { await askForPrices() } }
    for _ in 0..<16 { Task.detached { while true { await answerElsewhere() } } }
    for _ in 0..<4 {
      Task.detached { while true { await Task.detached { await answerAtOnce() }.value } }
    }
    while unanswered.withLock({ $0.count }) < 3 { usleep(1000) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int.random(in: 50..<150))) {
      crash()
    }
  },
  "kinds": {
    waitForEachKind()
    quitSoon()
  },
  "counted": {
    countedTasks = 1234
    quitSoon()
  },
  "hang": {
    Task.detached { await askForStock() }
    onceWatched {
      Task.detached { await askForPrices() }
      while true { Thread.sleep(forTimeInterval: 1) }
    }
  },
  "hang-kinds": {
    waitForEachKind()
    onceWatched { while true { Thread.sleep(forTimeInterval: 1) } }
  },
  "shutdown": {
    Task.detached { await askForStock() }
    hear(SIGTERM) {}
  },
  "lost": { hear(SIGUSR1) { Task.detached { await loseTheAnswer() } } },
  "off": {
    Task.detached { await askForStock() }
    quitSoon()
  },
]

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
  "short": {
    // Far more tasks than are noted, all of them gone.
    Task.detached {
      for _ in 0..<40 {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<1000 { group.addTask { await answerElsewhere() } }
        }
      }
      Task.detached { await askForStock() }
      endOnceWaiting(2)
    }
  },
  "filled": {
    // All the room there is was theirs a moment ago, and they are gone.
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
    for _ in 0..<20_000 { Task.detached { await askForPrices() } }
    endOnceWaiting(20_001)
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
  "shutdown": {
    Task.detached { await askForStock() }
    let source = DispatchSource.makeSignalSource(signal: SIGTERM)
    source.setEventHandler {}
    source.setRegistrationHandler {
      print("ready")
      fflush(nil)
    }
    source.activate()
    _ = Unmanaged.passRetained(source as AnyObject)
  },
  "off": {
    Task.detached { await askForStock() }
    quitSoon()
  },
]

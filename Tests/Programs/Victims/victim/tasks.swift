import Breadcrumbs
import CVictims
import Foundation
import Synchronization

/// Deaths in tasks of which there is more to tell than where.
let tasks: [String: @Sendable () -> Void] = [
  "task-with-context": {
    Task.detached {
      await withCrumbs(["order": 42]) {
        await withCrumbs(["item": "hammer"]) { await outerAsync(die_null_read) }
      }
    }
    Thread.sleep(forTimeInterval: 60)
  },
  "executor-task": dieInVault,
  "main-actor-task": dieOnMainActor,
]

// In what a constant begins with, Swift 6.0 sees no change of actor.

@Sendable private func dieInVault() {
  Task.detached { await Vault().close() }
  Thread.sleep(forTimeInterval: 60)
}

@Sendable private func dieOnMainActor() {
  Task.detached { await closeOnMain() }
  RunLoop.main.run()
}

/// Brings an executor of its own.
private actor Vault {
  private let counter = Counter()
  nonisolated var unownedExecutor: UnownedSerialExecutor { counter.asUnownedSerialExecutor() }
  func close() { die_null_read() }
}

private final class Counter: SerialExecutor {
  private let queue = DispatchQueue(label: "com.example.counter")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

@MainActor private func closeOnMain() async { die_null_read() }

#if compiler(>=6.2)
  /// Deaths in a task that has a name.
  let namedTasks: [String: @Sendable () -> Void] = [
    "named-task": {
      Task.detached(name: "refresh the till") { await outerAsync(die_null_read) }
      Thread.sleep(forTimeInterval: 60)
    },
    "named-task-locked": dieWhileCancelled,
    "child-task": {
      Task.detached(priority: .utility) {
        await withTaskGroup(of: Void.self) { group in
          group.addTask(name: "close the ledger") { await Ledger().close() }
        }
      }
      Thread.sleep(forTimeInterval: 60)
    },
  ]

  private actor Ledger {
    func close() { die_null_read() }
  }

  private let isRunning = Atomic(false)
  private let isHeld = Atomic(false)

  /// Whoever cancels a task holds its lock as long as the handler of the cancellation takes.
  @Sendable private func dieWhileCancelled() {
    let task = Task.detached(name: "refresh the till") {
      await withTaskCancellationHandler {
        await outerAsync {
          isRunning.store(true, ordering: .releasing)
          while !isHeld.load(ordering: .acquiring) { usleep(1000) }
          die_null_read()
        }
      } onCancel: {
        isHeld.store(true, ordering: .releasing)
        Thread.sleep(forTimeInterval: 60)
      }
    }
    while !isRunning.load(ordering: .acquiring) { usleep(1000) }
    task.cancel()
  }
#else
  /// Tasks have no names yet.
  let namedTasks: [String: @Sendable () -> Void] = [:]
#endif

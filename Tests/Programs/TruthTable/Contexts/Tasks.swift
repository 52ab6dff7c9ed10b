import CTruth
import Dispatch
import Foundation
import ThreadAffinity

extension Context {
  /// Tasks, actors and executors.
  // No constant that is stored: in what one begins with, Swift 6.0 sees no change of actor.
  static var tasks: [Context] {
    [
      Context("main.async{MainActor.assumeIsolated}", .main) {
        DispatchQueue.main.async { MainActor.assumeIsolated { probe() } }
      },
      Context("@MainActor Task{assumeIsolated{qC.sync}}", .main) {
        Task { @MainActor in assumeIsolatedAndSync() }
      },
      Context("async let from @MainActor", .elsewhere) {
        Task { @MainActor in
          async let child: Void = probeAnywhere()
          await child
        }
      },
      Context("@MainActor Task{withTaskGroup child}", .elsewhere) {
        Task { @MainActor in
          await withTaskGroup(of: Void.self) { group in group.addTask { await probeAnywhere() } }
        }
      },
      Context("@MainActor Task awaits detached, resumes", .main) {
        Task { @MainActor in
          await Task.detached {}.value
          probe()
        }
      },
      Context("continuation resumed from q1 into @MainActor", .main) {
        Task { @MainActor in
          await withCheckedContinuation { continuation in Queues.q1.async { continuation.resume() }
          }
          probe()
        }
      },
      Context("continuation body in @MainActor", .main) {
        Task { @MainActor in
          await withCheckedContinuation { continuation in
            probe()
            continuation.resume()
          }
        }
      },
      Context("Task on q1 actor, resumes from main", .elsewhere) {
        Task {
          await QueueActor(Queues.q1).run(after: { await MainActor.run {} })
        }
      },
      Context("custom exec on main: MainActor task calls it", .main) {
        Task { @MainActor in await QueueActor(.main).run() }
      },
      Context("@MainActor Task", .main) { Task { @MainActor in probe() } },
      Context("@MainActor Task after sleep", .main) {
        Task { @MainActor in
          try? await Task.sleep(nanoseconds: 5_000_000)
          probe()
        }
      },
      Context("Task.detached", .elsewhere) { Task.detached { probe() } },
      Context("Task.detached{MainActor.run}", .main) {
        Task.detached { await MainActor.run { probe() } }
      },
      Context("default actor from detached", .elsewhere) {
        Task.detached { await DefaultActor().run() }
      },
      Context("default actor from @MainActor Task", .elsewhere) {
        Task { @MainActor in await DefaultActor().run() }
      },
      Context("default actor -> MainActor.run", .main) {
        Task.detached { await DefaultActor().runOnMain() }
      },
      Context("actor, executor = DispatchQueue.main", .main) {
        Task.detached { await QueueActor(.main).run() }
      },
      Context("actor, executor = q1", .elsewhere) {
        Task.detached { await QueueActor(Queues.q1).run() }
      },
      Context("actor, q1, checkIsolated only", .elsewhere) {
        Task.detached { await QueueActor(Queues.q1, checks: .trapping).run() }
      },
      Context("actor, q1, isIsolating", .elsewhere) {
        Task.detached { await QueueActor(Queues.q1, checks: .answering).run() }
      },
      Context("actor, main, isIsolating", .main) {
        Task.detached { await QueueActor(.main, checks: .answering).run() }
      },
      Context("actor, q1, isIsolating{q2.sync}", .elsewhere) {
        Task.detached { await QueueActor(Queues.q1, checks: .answering).run(inside: Queues.q2) }
      },
      Context("default actor{q1.sync}", .elsewhere) {
        Task.detached { await DefaultActor().run(inside: Queues.q1) }
      },
      Context("actor, executor = own Thread", .elsewhere) {
        Task.detached { await ThreadActor().run() }
      },
      Context("@MainActor Task{q1.sync}", .main) {
        Task { @MainActor in Queues.q1.sync { probe() } }
      },
      Context("@MainActor Task{qC.sync}", .main) {
        Task { @MainActor in Queues.concurrent.sync { probe() } }
      },
      Context("Task.detached{main.sync}", .main) {
        Task.detached { syncOnMain() }
      },
    ]
  }
}

#if compiler(>=6.2)
  @concurrent private func probeAnywhere() async { probe() }
#else
  private func probeAnywhere() async { probe() }
#endif

private func assumeIsolatedAndSync() {
  MainActor.assumeIsolated { Queues.concurrent.sync { probe() } }
}

private func syncOnMain() { DispatchQueue.main.sync { probe() } }

actor DefaultActor {
  func run() { probe() }
  func run(inside queue: DispatchQueue) { queue.sync { probe() } }
  func runOnMain() async { await MainActor.run { probe() } }
}

/// An actor on a queue.
actor QueueActor {
  private let executor: any SerialExecutor
  nonisolated let unowned: UnownedSerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unowned }

  /// How its executor answers whether it is the current one.
  enum Checks { case none, trapping, answering }

  init(_ queue: DispatchQueue, checks: Checks = .none) {
    switch checks {
    case .none: (executor, unowned) = made(PlainExecutor(queue))
    case .trapping: (executor, unowned) = made(TrappingExecutor(queue))
    case .answering: (executor, unowned) = made(AnsweringExecutor(queue))
    }
  }

  func run() { probe() }
  func run(inside queue: DispatchQueue) { queue.sync { probe() } }
  func run(after first: @Sendable () async -> Void) async {
    await first()
    probe()
  }
}

private func made<E: SerialExecutor>(_ executor: E) -> (any SerialExecutor, UnownedSerialExecutor) {
  (executor, UnownedSerialExecutor(complexEquality: executor))
}

final class PlainExecutor: SerialExecutor {
  let queue: DispatchQueue
  init(_ queue: DispatchQueue) { self.queue = queue }
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
  func isSameExclusiveExecutionContext(other: PlainExecutor) -> Bool { other.queue === queue }
}

final class TrappingExecutor: SerialExecutor {
  let queue: DispatchQueue
  init(_ queue: DispatchQueue) { self.queue = queue }
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
  func isSameExclusiveExecutionContext(other: TrappingExecutor) -> Bool { other.queue === queue }
  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

final class AnsweringExecutor: SerialExecutor {
  let queue: DispatchQueue
  private let affinity: Affinity
  init(_ queue: DispatchQueue) {
    self.queue = queue
    affinity = .queue(queue)
  }
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
  func isSameExclusiveExecutionContext(other: AnsweringExecutor) -> Bool { other.queue === queue }
  func isIsolatingCurrentContext() -> Bool? { affinity.isCurrent }
}

/// An actor on a thread of its own.
actor ThreadActor {
  private let executor = ThreadExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func run() { probe() }
}

final class ThreadExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    thread { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

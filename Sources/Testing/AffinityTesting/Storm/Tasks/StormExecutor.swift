internal import CTestProcess

/// Runs the tasks of storms.
///
final class StormExecutor: TaskExecutor {
  /// Runs the tasks of storms of callbacks.
  static let shared = StormExecutor(of: nil)

  // Set once; `weak let` takes Swift 6.2.
  nonisolated(unsafe) private weak var turns: TaskTurns?

  private init(of turns: TaskTurns?) { self.turns = turns }

  /// An executor for the tasks of one run. It is never let go of: tasks may outlive their run, and do not hold it.
  static func lasting(for turns: TaskTurns) -> StormExecutor {
    let executor = StormExecutor(of: turns)
    _ = Unmanaged.passRetained(executor)
    return executor
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let turns, turns.takes(job, on: self) { return }
    ms_send_part(Unmanaged.passRetained(Part(job, self)).toOpaque()) { part in
      Unmanaged<Part>.fromOpaque(part!).takeRetainedValue().run()
    }
  }

  /// Runs a job here.
  func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }

  private final class Part {
    private let job: UnownedJob
    private let executor: StormExecutor

    init(_ job: UnownedJob, _ executor: StormExecutor) {
      self.job = job
      self.executor = executor
    }

    func run() { executor.run(job) }
  }
}

extension UnownedJob {
  /// The id of the task that it is a part of; 0 if it is an actor's, or resumes a task.
  var task: UInt64 { UInt64(description.filter(\.isWholeNumber)) ?? 0 }
}

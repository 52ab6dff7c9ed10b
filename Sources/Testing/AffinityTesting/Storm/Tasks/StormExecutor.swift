internal import CTestProcess

/// The task executor for the tasks of storms.
final class StormExecutor: TaskExecutor {
  /// The executor for the tasks of callback storms.
  static let shared = StormExecutor(of: nil)

  // Set once. `weak let` would require Swift 6.2.
  nonisolated(unsafe) private weak var turns: TaskTurns?

  private init(of turns: TaskTurns?) { self.turns = turns }

  /// Returns an executor for the tasks of one run. The executor is never released, because tasks
  /// may outlive their run and do not retain their executor.
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

  /// Runs a job on the calling thread.
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
  /// The id of the task that the job belongs to; 0 if the job belongs to an actor or resumes a
  /// task.
  var task: UInt64 { UInt64(description.filter(\.isWholeNumber)) ?? 0 }
}

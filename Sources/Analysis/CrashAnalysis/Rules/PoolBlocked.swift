import IncidentModel

/// Finds code that blocks the threads of Swift's task pool.
final class PoolBlocked: Rule {
  static let about = RuleDescription(
    id: "pool-blocked", severity: .error,
    title: "The threads that run tasks were held for too long",
    firesWhen: """
      A pool of Swift's tasks did not answer, by default for 2 s. Each priority has a pool, with \
      one thread per processor. If the machine gave its runnable threads no processor, the finding \
      is a warning without a culprit. If the threads wait for a lock, the culprit is the thread that \
      has the lock. Time in which the process was stopped does not count. In a picture of a \
      process, tasks wait for a thread while all threads of their pool are blocked.
      """,
    cause: """
      A task that sleeps, waits for a semaphore or a lock, or reads a file or a socket without \
      await blocks a thread of the pool. With two processors, two such calls stop all tasks of \
      that priority. Tasks that compute without a pause do the same, and so do blocks on \
      DispatchQueue.global(), which uses the same threads.
      """,
    evidence: """
      The stacks of the pool's threads at the hang, with their async callers; the state of each \
      (asleep, running, or waiting for a processor); the duration.
      """,
    fix: """
      Await instead: Task.sleep, a continuation, an async API. Run blocking code on other threads, \
      and let long computations pause with Task.yield.
      """,
    triggers: """
      for _ in 0..<64 {
        Task.detached { _ = usleep(10_000_000) }
      }
      """,
    spares: """
      Task.detached { try await Task.sleep(for: .seconds(10)) }
      """)

  let interest = Interest(.hang)
  private var held = HeldExecutors(PoolBlocked.about, .pool)

  func observe(_ event: Event, in run: RunState) { held.observe(event, in: run) }
  func finish(in run: EndedRun) {
    held.finish(in: run)
    run.picture?.reportStarvedPools(Self.about, in: run)
  }
}

import IncidentModel

/// Finds what holds the threads that run Swift's tasks.
final class PoolBlocked: Rule {
  static let about = RuleDescription(
    id: "pool-blocked", severity: .error,
    title: "The threads that run tasks were held for too long",
    firesWhen: """
      One of the pools that run Swift's tasks did not answer: by default for 2 s. Each priority has a pool, \
      of as many threads as there are processors. It is a warning that accuses no code where its \
      threads could have run and the machine gave them no processor. Time in which the process was \
      stopped does not count.
      """,
    cause: """
      A task that sleeps, waits for a semaphore or a lock, or reads from a file or a socket without await keeps a thread \
      of the pool. With two processors, two such calls stop all tasks of that priority. So do as many \
      tasks that compute without a pause, \
      or blocks on DispatchQueue.global(), which has the same threads.
      """,
    evidence: """
      The stacks of the pool's threads, their callers through awaits included, when the hang was recorded; whether each \
      slept, ran or waited for a processor; how long it lasted.
      """,
    fix: """
      Await instead: Task.sleep, a continuation, an API that is async. Let what must block run on threads of its \
      own, and what computes for long pause with Task.yield.
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
  func finish(in run: EndedRun) { held.finish(in: run) }
}

import IncidentModel

/// Finds code that blocks the threads of Swift's task pool.
final class PoolBlocked: Rule {
  static let about = RuleDescription(
    id: "pool-blocked", severity: .error,
    title: "The threads that run tasks were held for too long",
    firesWhen: """
      A pool of Swift's tasks did not answer, by default for 2 s. Each priority has a pool, with \
      one thread per processor. If the machine gave its runnable threads no processor, the finding \
      is a warning without a culprit. If the threads wait for a lock, the culprit is the owner of \
      the lock. Time in which the process was stopped does not count. A report of another tool \
      counts if all threads of a pool, at least three, wait in one function of the program. In a picture of a \
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
    if let pool = run.source.signs.starvedPool {
      run.report(FindingKey(Self.about.id)) { finding(pool, run) }
    }
    held.finish(in: run)
    run.picture?.reportStarvedPools(Self.about, in: run)
  }

  /// Returns the finding about a pool of another tool's report.
  private func finding(_ pool: StarvedPool, _ run: EndedRun) -> Finding {
    let threads = run.source.hungThreads.filter { thread in
      thread.ordinal.map(pool.threads.contains) ?? false
    }
    let links =
      threads.first.map { thread in
        run.read(run.frames(of: thread.stack, when: run.end.monotonic)).links
      } ?? []
    let culprit = links.first.map { SourceLine.added(to: $0.frame.place) }
    let place = culprit.map { " in \(DisplayText.name($0))" } ?? ""
    let who =
      threads.count > 1
      ? "All \(threads.count) threads of “\(pool.name)” waited"
      : "\(DisplayText.capitalized(pool.name)) had no free thread: its threads waited"
    var finding = Finding(
      rule: Self.about.id, severity: Self.about.severity, title: who + place, culprit: culprit,
      api: nil,
      fix: Finding.Fix(
        "Do not wait\(place) on a thread of this pool for work that needs the same pool: continue in a callback or after an await, "
          + "or run blocking code in another pool."),
      identity: "pool", defect: culprit.map { "\($0.module) \($0.function)" } ?? "pool")
    let name = threads.first?.ordinal.map(run.thread) ?? ""
    finding.cause = links.prefix(4).enumerated().reversed().map { at, link in
      Finding.Step(
        at > 0
          ? "ran" : threads.count > 1 ? "waits, one of \(threads.count) threads here" : "waits",
        thread: name, queue: threads.first?.queue?.label, place: link.frame.place)
    }
    finding.evidence = [
      Finding.Evidence("no thread of the pool was free to run other work at that moment")
    ]
    return finding
  }
}

import IncidentModel

/// Finds code that blocks an event loop.
final class LoopBlocked: Rule {
  static let about = RuleDescription(
    id: "loop-blocked", severity: .error,
    title: "An event loop was held for too long",
    firesWhen: """
      An event loop with a HangWatch did not answer within the threshold, after it had answered \
      once. If the machine gave its runnable thread no processor, the finding is a warning without \
      a culprit.
      """,
    cause: """
      Code on the loop sleeps, waits, reads a file or computes for long. All connections of the \
      loop stop meanwhile.
      """,
    evidence: """
      The stack of the loop's thread at the hang; its state (asleep, running, or waiting for a \
      processor); the duration.
      """,
    fix: "Run blocking code on a thread pool, and send the result back to the loop.",
    triggers: """
      let watch = HangWatch(named: "loop") { beat in loop.execute { beat() } }
      loop.execute { sleep(10) }
      """,
    spares: """
      let watch = HangWatch(named: "loop") { beat in loop.execute { beat() } }
      loop.execute { board.finish() }
      """)

  let interest = Interest(.hang)
  private var held = HeldExecutors(LoopBlocked.about, .loop)

  func observe(_ event: Event, in run: RunState) { held.observe(event, in: run) }
  func finish(in run: EndedRun) { held.finish(in: run) }
}

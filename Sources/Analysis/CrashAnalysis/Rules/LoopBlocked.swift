import IncidentModel

/// Finds what holds an event loop.
final class LoopBlocked: Rule {
  static let about = RuleDescription(
    id: "loop-blocked", severity: .error,
    title: "An event loop was held for too long",
    firesWhen: """
      An event loop that is watched by HangWatch did not answer for as long as its watch allows, after it had \
      answered once. It is a warning that accuses no code where its thread could have run and got no processor.
      """,
    cause: """
      Something on the loop sleeps, waits, reads a file or computes for long. All connections of the loop stand \
      still meanwhile.
      """,
    evidence: """
      The stack of the loop's thread when the hang was recorded; whether it slept, ran or waited for a processor; \
      how long it lasted.
      """,
    fix: "Hand what blocks to a thread pool, and the result back to the loop.",
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

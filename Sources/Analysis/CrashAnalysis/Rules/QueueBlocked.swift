import IncidentModel

/// Finds what holds a queue or an actor that is watched.
final class QueueBlocked: Rule {
  static let about = RuleDescription(
    id: "queue-blocked", severity: .error,
    title: "A queue or an actor was held for too long",
    firesWhen: """
      A queue or an actor that is watched by HangWatch did not answer for as long as its watch allows, after it had \
      answered once. It is a warning that accuses no code where its thread could have run and got no processor.
      """,
    cause: """
      Work on it sleeps, waits for somebody or computes for long; whatever else belongs there waits behind it.
      """,
    evidence: """
      The stack of the thread that held it when the hang was recorded; whether it slept, ran or waited for a processor; \
      how long it lasted.
      """,
    fix: "Let it do short work only: what waits or takes long belongs elsewhere.",
    triggers: """
      let watch = HangWatch(queue: queue)
      queue.async { sleep(10) }
      """,
    spares: """
      let watch = HangWatch(queue: queue)
      queue.async { board.finish() }
      """)

  let interest = Interest(.hang)
  private var held = HeldExecutors(QueueBlocked.about, .queue, .actor)

  func observe(_ event: Event, in run: RunState) { held.observe(event, in: run) }
  func finish(in run: EndedRun) { held.finish(in: run) }
}

import IncidentModel

/// Finds code that blocks a watched queue or actor.
final class QueueBlocked: Rule {
  static let about = RuleDescription(
    id: "queue-blocked", severity: .error,
    title: "A queue or an actor was held for too long",
    firesWhen: """
      A queue or an actor with a HangWatch did not answer within the threshold, after it had \
      answered once. If the machine gave its runnable thread no processor, the finding is a \
      warning without a culprit. In a picture of a process, the thread of an actor is blocked while \
      tasks wait for their turn on the actor, or the thread of a serial queue is blocked in two \
      readings, half a second apart, while the same work waits behind it.
      """,
    cause: """
      Work on the queue or the actor sleeps, waits or computes for long, and delays other work.
      """,
    evidence: """
      The stack of the holder at the hang; its state (asleep, running, or waiting for a \
      processor); the duration.
      """,
    fix:
      "Run only short work on the queue or actor, and move waits and long computations to other threads.",
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
  func finish(in run: EndedRun) {
    held.finish(in: run)
    run.picture?.reportHeldActors(Self.about, in: run)
    run.picture?.reportHeldQueues(Self.about, in: run)
  }
}

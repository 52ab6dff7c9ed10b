internal import CRecorder
import Synchronization

/// An actor whose isolation is checked without entering the actor.
final class ActorHome: Sendable {
  // An affinity outlives no actor: it would keep a whole object graph alive.
  // Set once; `weak let` takes Swift 6.2.
  nonisolated(unsafe) private weak var actor: (any Actor)?
  // The sender of arrivals to the actor, from the first arrival on.
  private let consumer = Mutex<AsyncStream<Arrival>.Continuation?>(nil)

  init(_ actor: any Actor) {
    self.actor = actor
  }

  // Pending arrivals are still delivered.
  deinit { consumer.withLock { $0?.finish() } }

  /// Whether code isolated to the actor may run here; a dead actor isolates nothing.
  var isCurrent: Bool { verdict ?? false }

  /// Whether a `false` is certain: an executor may offer no answer but a trap.
  var isDecidable: Bool { verdict != nil }

  func trapUnlessCurrent() {
    actor?.preconditionIsolated()
  }

  /// The way in: one consumer for all that comes, as tasks of their own would overtake each other.
  var arrivals: AsyncStream<Arrival>.Continuation {
    consumer.withLock { consumer in
      if let consumer { return consumer }
      let (stream, continuation) = AsyncStream.makeStream(of: Arrival.self)
      Task { [weak actor] in
        for await arrival in stream {
          if let actor { await enter(actor, arrival) } else { arrival.giveUp() }
        }
      }
      consumer = continuation
      return continuation
    }
  }

  private var verdict: Bool? { actor.map { $0.isolatesHere } ?? false }
}

extension Actor {
  /// Whether code isolated to the actor may run here; nil if its executor has no answer but a trap.
  nonisolated var isolatesHere: Bool? {
    if self is MainActor { return MainQueue.isCurrent }
    guard let executor = ExecutorReference.words(of: unownedExecutor) else {
      return isIsolatingCurrentContext
    }
    if ms_executor_is_current(executor) { return true }
    // A default actor is its own executor, and the runtime tracks it; only others may know better.
    guard executor.implementation & ~3 != 0 else { return false }
    return isIsolatingCurrentContext
  }
}

/// The name of an actor in reports: its type, which many actors may share.
func nameOfType(of actor: any Actor) -> String { String(describing: type(of: actor)) }

private func enter(_ actor: isolated any Actor, _ arrival: Arrival) {
  arrival.arrive()
}

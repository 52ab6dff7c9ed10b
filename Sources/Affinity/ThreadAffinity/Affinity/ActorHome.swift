internal import CRecorder
import Synchronization

/// An actor whose isolation is checked without entering the actor.
final class ActorHome: Sendable {
  // Weak, because an affinity would otherwise keep the actor's whole object graph alive.
  // Set once; `weak let` requires Swift 6.2.
  nonisolated(unsafe) private weak var actor: (any Actor)?
  // The continuation that sends arrivals to the actor; nil until the first arrival.
  private let consumer = Mutex<AsyncStream<Arrival>.Continuation?>(nil)

  init(_ actor: any Actor) {
    self.actor = actor
  }

  // `finish` still delivers the pending arrivals.
  deinit { consumer.withLock { $0?.finish() } }

  /// True if code isolated to the actor may run here; false if the actor no longer exists.
  var isCurrent: Bool { verdict ?? false }

  /// True if a `false` of `isCurrent` is certain. Some executors can only trap, and return no
  /// verdict.
  var isDecidable: Bool { verdict != nil }

  func trapUnlessCurrent() {
    actor?.preconditionIsolated()
  }

  /// The input of the actor's single consumer task. A task for each arrival would not keep the order.
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
  /// True if code isolated to the actor may run here; nil if the actor's executor can only trap.
  nonisolated var isolatesHere: Bool? {
    if self is MainActor { return MainQueue.isCurrent }
    guard let executor = ExecutorReference.words(of: unownedExecutor) else {
      return isIsolatingCurrentContext
    }
    if ms_executor_is_current(executor) { return true }
    // The runtime tracks default actors, which are their own executors. Only a custom executor may
    // return another answer.
    guard executor.implementation & ~3 != 0 else { return false }
    return isIsolatingCurrentContext
  }
}

/// The name of an actor in reports: the name of its type. Several actors may share one name.
func nameOfType(of actor: any Actor) -> String { String(describing: type(of: actor)) }

private func enter(_ actor: isolated any Actor, _ arrival: Arrival) {
  arrival.arrive()
}

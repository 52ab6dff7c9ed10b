internal import CRuntime

/// An actor whose isolation is asked for without entering it.
struct ActorHome: Sendable {
  // An affinity outlives no actor: it would keep a whole object graph alive.
  private weak let actor: (any Actor)?

  init(_ actor: any Actor) {
    self.actor = actor
  }

  /// Whether code isolated to the actor may run here; a dead actor isolates nothing.
  var isCurrent: Bool { verdict ?? false }

  /// Whether a `false` is certain: an executor may offer no answer but a trap.
  var isDecidable: Bool { verdict != nil }

  func trapUnlessCurrent() {
    actor?.preconditionIsolated()
  }

  /// Runs `body` inside the actor, if it is still there.
  func run(_ body: @escaping @Sendable () -> Void) {
    guard let actor else { return }
    Task { await enter(actor, body) }
  }

  private var verdict: Bool? {
    guard let actor else { return false }
    if actor is MainActor { return MainQueue.isCurrent }
    let executor = unsafeBitCast(actor.unownedExecutor, to: ms_executor.self)
    if ms_executor_is_current(executor) { return true }
    // A default actor is its own executor, and the runtime tracks it; only others may know better.
    guard executor.implementation & ~3 != 0 else { return false }
    return actor.unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext()
  }
}

private func enter(_ actor: isolated any Actor, _ body: @Sendable () -> Void) {
  body()
}

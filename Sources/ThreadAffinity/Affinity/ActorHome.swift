internal import CRuntime

/// An actor whose isolation is asked for without entering it.
struct ActorHome: Sendable {
  // An affinity outlives no actor: it would keep a whole object graph alive.
  private weak let actor: (any Actor)?
  let name: String

  init(_ actor: any Actor) {
    self.actor = actor
    name = String(describing: type(of: actor))
  }

  /// Whether code isolated to the actor may run here; a dead actor isolates nothing.
  var isCurrent: Bool { verdict ?? false }

  /// Whether a `false` is certain: an executor may offer no answer but a trap.
  var isDecidable: Bool { verdict != nil }

  func trapUnlessCurrent() {
    actor?.preconditionIsolated()
  }

  private var verdict: Bool? {
    guard let actor else { return false }
    if actor is MainActor { return MainQueue.isCurrent }
    if isCurrentExecutor(actor.unownedExecutor) { return true }
    guard let executor = actor.unownedExecutor.asSerialExecutor() else { return false }
    return executor.isIsolatingCurrentContext()
  }
}

/// Whether the runtime knows this thread to be on `executor`.
private func isCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
  ms_executor_is_current(unsafeBitCast(executor, to: ms_executor.self))
}

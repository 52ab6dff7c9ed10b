public import Dispatch

/// A rule that code runs on one queue, thread or actor.
///
///     let database = Affinity.queue(databaseQueue)
///     database.expect("writes go through one queue")
public struct Affinity: Sendable {
  enum Home: Sendable {
    case main
    case queue(QueueHome)
    case thread(ThreadHome)
    case actor(ActorHome)
  }

  let home: Home
  var policy: Policy?

  /// The main queue, and queues that target it.
  public static var main: Affinity { Affinity(home: .main) }

  /// A queue, and queues that target it.
  public static func queue(_ queue: DispatchQueue) -> Affinity {
    Affinity(home: .queue(QueueHome(queue)))
  }

  /// The thread that checks first; `detach()` hands over to the next one that does.
  public static func thread(_ name: String = "thread") -> Affinity {
    Affinity(home: .thread(ThreadHome(name: name)))
  }

  /// The isolation of an actor, its executor included.
  public static func actor(_ actor: any Actor) -> Affinity {
    Affinity(home: .actor(ActorHome(actor)))
  }

  /// The same affinity with a policy of its own.
  public func policy(_ policy: Policy) -> Affinity {
    var copy = self
    copy.policy = policy
    return copy
  }

  /// The name in reports and in `MAINSTAY_POLICY`: `main`, a queue's label, a given name, a type.
  public var name: String {
    switch home {
    case .main: "main"
    case .queue(let home): home.queue.label
    case .thread(let home): home.name
    case .actor(let home): home.name
    }
  }

  /// Whether code of this affinity may run here. A thread affinity asked so is not yet bound by it.
  public var isCurrent: Bool {
    switch home {
    case .main: MainQueue.isCurrent
    case .queue(let home): home.isCurrent
    case .thread(let home): home.isCurrent
    case .actor(let home): home.isCurrent
    }
  }

  /// Expects to run here; where that is not so, the policy decides what follows.
  ///
  /// - Returns: Whether code of this affinity may run here.
  @discardableResult
  public func expect(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) -> Bool {
    if holds(file, line, column, function) { return true }
    let site = CallSite(file: file, line: line, column: column, function: function)
    Judge.report(charge, message: message, site: site)
    return false
  }

  /// Requires to run here; where that is not so, says why and ends the process.
  public func require(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) {
    if holds(file, line, column, function) { return }
    let site = CallSite(file: file, line: line, column: column, function: function)
    if charge.isCertain { Judge.refuse(charge, message: message, site: site) }
    Judge.foretell(charge, message: message())
    trapUnlessCurrent(home)
  }

  /// Unbinds a thread affinity, so that the next thread to check takes over. Others have no thread to
  /// let go of, and stay as they are.
  public func detach() {
    if case .thread(let home) = home { home.detach() }
  }

  private func holds(
    _ file: StaticString, _ line: UInt, _ column: UInt, _ function: StaticString
  ) -> Bool {
    guard case .thread(let home) = home else { return isCurrent }
    return home.bindOrCompare {
      CallSite(file: file, line: line, column: column, function: function)
    }
  }

  private var charge: Charge {
    switch home {
    case .main:
      var charge = Charge.mainQueue
      charge.policy = policy
      return charge
    case .queue(let home):
      return Charge(
        expected: "queue \(home.queue.label)", name: name, policy: policy,
        isCertain: MainQueue.doubt == nil)
    case .thread(let home):
      let bound = home.boundAt
      return Charge(
        expected: "\(home.name)\(bound.map { " (thread \($0.place.threadID))" } ?? "")",
        name: name, policy: policy, boundAt: bound)
    case .actor(let home):
      return Charge(
        expected: "actor \(home.name)", name: name, policy: policy, isCertain: home.isDecidable)
    }
  }
}

/// Asks those whose verdict is certain, at the price of a trap.
private func trapUnlessCurrent(_ home: Affinity.Home) {
  switch home {
  case .main: dispatchPrecondition(condition: .onQueue(MainQueue.queue))
  case .queue(let home): dispatchPrecondition(condition: .onQueue(home.queue))
  case .actor(let home): home.trapUnlessCurrent()
  case .thread: break
  }
}

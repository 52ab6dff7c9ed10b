internal import CRecorder
internal import Dispatch

extension Affinity {
  /// Runs `body` on the queue, event loop or actor of this affinity. A violation inside `body` names this
  /// call as its origin.
  ///
  /// `body` is enqueued, and runs in the order of the calls. On an actor, only calls through this affinity
  /// and its copies are ordered, and `body` is dropped if the actor no longer exists. Code cannot be sent to
  /// a thread: for a thread affinity the call is a violation, and `body` does not run.
  @inline(never)
  public func async(
    _ name: StaticString = "async", file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function,
    _ body: @escaping @Sendable () -> Void
  ) {
    let site = CallSite(file: file, line: line, column: column, function: function)
    let caller = ms_caller()
    var body = body
    let route: HopCore.Route
    switch home {
    case .queue(let queue): route = .queue(queue)
    case .actor(let home):
      route = .consumer(home.arrivals)
      if let carried = ViolationPolicy.carrying { body = carried(body) }
    case .loop(let home):
      route = .loop(home)
      if let carried = ViolationPolicy.carrying { body = carried(body) }
    case .thread:
      var failure = CheckFailure(
        expected: "a queue or an actor", name: self.name, policy: nil, caller: caller)
      failure.isOfCaller = true
      return ViolationReporter.report(
        failure,
        message: {
          "a thread affinity accepts no code; send the code to a queue, an actor or an event loop"
        }, site: site)
    }
    let core = HopCore(name, on: route, to: self, .always, site: site, from: caller)
    let call: HopCall = { [body] begin in
      begin()
      body()
      return true
    }
    core.send(call, from: caller)
  }
}

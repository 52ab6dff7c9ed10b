internal import CRuntime

/// Moves callbacks to an actor, in the order of the calls.
///
/// A task for each call would not keep that order: tasks overtake each other. The actor is held weakly.
/// Nothing is delivered once it is gone, and no delivery begins after `cancel()` returns.
public final class ActorHop<Target: Actor>: Sendable {
  private let core: HopCore
  private let arrivals: AsyncStream<Arrival>.Continuation

  /// Creates a hop to `target`. Calls are always enqueued: an actor cannot be entered synchronously.
  @inline(never)
  public init(
    _ target: Target, _ name: StaticString = "hop", file: StaticString = #fileID,
    line: UInt = #line, column: UInt = #column, function: StaticString = #function
  ) {
    let (stream, continuation) = AsyncStream.makeStream(of: Arrival.self)
    arrivals = continuation
    core = HopCore(
      name, on: .consumer(continuation), to: .actor(target), .always, for: target,
      site: CallSite(file: file, line: line, column: column, function: function),
      from: ms_maker())
    Task { [weak target] in
      for await arrival in stream {
        if let target, let arrival = arrival as? ActorArrival<Target> {
          await arrival.enter(target)
        } else {
          arrival.giveUp()
        }
      }
    }
  }

  // What is on its way still arrives.
  deinit { arrivals.finish() }

  // Specialised, it would be called by a thunk of its own, and that by the sender.
  /// Sends a call; `call` runs inside the actor, in the order of the calls.
  @_semantics("optimize.sil.specialize.owned2guarantee.never")
  @inline(never)
  public func send(_ call: __owned @escaping @Sendable (isolated Target) -> Void) {
    let caller = ms_caller()
    let arrival = ActorArrival<Target>(at: core, from: caller)
    arrival.call = consume call
    core.take(arrival, from: caller)
  }

  /// Drops pending and later calls; no delivery begins after this returns.
  public func cancel() { core.cancel() }
}

/// The arrival of a call to an actor.
private final class ActorArrival<Target: Actor>: Arrival, @unchecked Sendable {
  /// Set once, before the arrival is taken in.
  var call: (@Sendable (isolated Target) -> Void)?
  private var target: Target?

  /// Comes in, inside the actor.
  func enter(_ target: isolated Target) {
    self.target = target
    arrive()
    self.target = nil
  }

  override func perform() -> Bool {
    guard let call, let target else { return false }
    self.call = nil
    begin()
    // `enter` is what makes it true that this runs inside the actor.
    unsafeBitCast(call, to: ((Target) -> Void).self)(target)
    return true
  }

  override func letGo() { call = nil }
}

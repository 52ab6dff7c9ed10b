internal import CRecorder
import Synchronization

/// Moves callbacks to an actor, in the order of the calls.
///
/// A task for each call would not keep that order: tasks overtake each other. The actor is held weakly.
/// Nothing is delivered once it is gone, and no delivery begins after `cancel()` returns.
public final class ActorHop<Target: Actor>: Sendable {
  let core: HopCore
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
    let watched = LostTargets.watch.map { watch in
      let watched = WatchedActor(target)
      watch.made(watched)
      return watched
    }
    Task { [weak target] in
      for await arrival in stream {
        if let target, let arrival = arrival as? ActorArrival<Target> {
          watched?.noteCall()
          if arrival.asker == nil {
            await arrival.enter(target)
          } else {
            await arrival.enterToAnswer(target)
          }
        } else if let watched, watched.hasLostTarget {
          arrival.giveUp(for: watched, to: Target.self)
        } else {
          arrival.giveUp()
        }
      }
    }
  }

  // Pending arrivals are still delivered.
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

  /// Sends `asker` to the actor, in the order of the calls; returns nil if the target no longer exists.
  @inline(never)
  fileprivate func send(_ asker: ActorAsker<Target>) {
    let caller = ms_caller()
    let arrival = ActorArrival<Target>(at: core, from: caller)
    arrival.asker = asker
    arrival.fallback = HopFallback { asker.turn.resume(returning: nil) }
    core.take(arrival, from: caller)
  }
}

extension ActorHop {
  /// Asks the actor for a result in an asynchronous call, which begins in the order of the calls.
  ///
  /// - Returns: The answer; `fallback` if the actor is gone or the hop cancelled.
  public func ask<Value: Sendable, Failure>(
    orElse fallback: Result<Value, Failure>,
    _ call: @escaping @Sendable (isolated Target) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let turn = await withUnsafeContinuation { send(ActorAsker(turn: $0)) }
    guard let turn else { return try fallback.get() }
    return try await turn.begin(turn.target, call)
  }

  /// Asks the actor for a result in an asynchronous call, which begins in the order of the calls.
  ///
  /// - Throws: The error of `call`; `CancellationError` if the actor is gone, the hop was cancelled, or the
  ///   calling task was cancelled before the call began.
  public func ask<Value: Sendable>(
    _ call: @escaping @Sendable (isolated Target) async throws -> Value
  ) async throws -> Value {
    try await ask(orElse: Result<Value, any Error>.failure(CancellationError())) { target in
      try Task.checkCancellation()
      return try await call(target)
    }
  }
}

/// The target of a hop that a test has made.
private final class WatchedActor: WeakHop {
  // Set once; `weak let` takes Swift 6.2.
  nonisolated(unsafe) private weak var target: (any Actor)?
  private let hasCalled = Atomic(false)

  init(_ target: any Actor) { self.target = target }

  func noteCall() {
    if !hasCalled.exchange(true, ordering: .relaxed) { LostTargets.watch?.called() }
  }

  var hasLostTarget: Bool {
    !hasCalled.load(ordering: .relaxed) && target == nil
  }
}

/// A task that waits for its turn at an actor.
private struct ActorAsker<Target: Actor>: Sendable {
  let turn: UnsafeContinuation<ActorTurn<Target>?, Never>
}

/// The turn of an asking task: the actor, and the continuation that waits until the call has begun.
private struct ActorTurn<Target: Actor>: Sendable {
  let target: Target
  let begun: UnsafeContinuation<Void, Never>

  /// Makes the call; later arrivals of the hop may run from now on.
  func begin<Value: Sendable, Failure>(
    _ target: isolated Target,
    _ call: @Sendable (isolated Target) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    begun.resume()
    return try await call(target)
  }
}

/// The arrival of a call to an actor.
private final class ActorArrival<Target: Actor>: Arrival, @unchecked Sendable {
  /// Set once, before the arrival is taken in.
  var call: (@Sendable (isolated Target) -> Void)?
  /// The asking task, in place of a call. Set once, before the arrival is taken in.
  var asker: ActorAsker<Target>?
  private var begun: UnsafeContinuation<Void, Never>?

  /// Enters the actor, and waits until the asking task has begun its call there.
  func enterToAnswer(_ target: isolated Target) async {
    await withUnsafeContinuation { begun in
      self.begun = begun
      enter(target)
      // No target was called.
      self.begun?.resume()
      self.begun = nil
    }
  }

  /// Comes in, inside the actor.
  func enter(_ target: isolated Target) {
    arrive { perform(at: target) }
  }

  private func perform(at target: isolated Target) -> Bool {
    if let asker, let begun { return perform(for: asker, at: target, begun) }
    guard let call else { return false }
    self.call = nil
    begin()
    call(target)
    return true
  }

  private func perform(
    for asker: ActorAsker<Target>, at target: Target, _ begun: UnsafeContinuation<Void, Never>
  ) -> Bool {
    self.begun = nil
    fallback?.isAnswered()
    begin()
    asker.turn.resume(returning: ActorTurn(target: target, begun: begun))
    return true
  }

  override func letGo() { call = nil }
}

internal import CRecorder
import Synchronization

/// Moves callbacks to an actor, in the order of the calls.
///
/// A separate task for each call would not keep the order. The hop holds the actor weakly: no call is
/// delivered after the actor is deallocated, and no delivery begins after `cancel()` returns.
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

  // `finish` still delivers the pending arrivals.
  deinit { arrivals.finish() }

  // Not specialized: `ms_caller` would return the specialization's thunk instead of the sender.
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

  /// Sends `asker` to the actor, in the order of the calls. The asker resumes with nil if the target no
  /// longer exists.
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
  /// Asks the actor for a result by an asynchronous call. Calls begin in the order in which they were made.
  ///
  /// - Returns: The result of `call`; `fallback` if the actor is gone or the hop was cancelled.
  public func ask<Value: Sendable, Failure>(
    orElse fallback: Result<Value, Failure>,
    _ call: @escaping @Sendable (isolated Target) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let turn = await withUnsafeContinuation { send(ActorAsker(turn: $0)) }
    guard let turn else { return try fallback.get() }
    return try await turn.begin(turn.target, call)
  }

  /// Asks the actor for a result by an asynchronous call. Calls begin in the order in which they were made.
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

/// The target of a hop, tracked while a test watches for lost targets.
private final class WatchedActor: WeakHop {
  // Set once in `init`; a `weak let` would require Swift 6.2.
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

/// The turn of a waiting task: the actor, and the continuation that waits until the call has begun.
private struct ActorTurn<Target: Actor>: Sendable {
  let target: Target
  let begun: UnsafeContinuation<Void, Never>

  /// Makes the call, after which later arrivals of the hop may run.
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
  /// The call, set once before the arrival is enqueued.
  var call: (@Sendable (isolated Target) -> Void)?
  /// The asking task, set instead of a call, once before the arrival is enqueued.
  var asker: ActorAsker<Target>?
  private var begun: UnsafeContinuation<Void, Never>?

  /// Enters the actor, and waits until the asking task has begun its call inside the actor.
  func enterToAnswer(_ target: isolated Target) async {
    await withUnsafeContinuation { begun in
      self.begun = begun
      enter(target)
      // `begun` is still set only if no target was called.
      self.begun?.resume()
      self.begun = nil
    }
  }

  /// Performs the arrival, isolated to the actor.
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

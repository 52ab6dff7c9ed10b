internal import CRecorder
public import Dispatch

/// Moves callbacks to the main queue, in the order of the calls; holds their target weakly.
///
///     let hop = MainHop(self, "downloads")
///     downloader.onProgress = { fraction in hop.send { $0.show(fraction) } }
///
/// A call made on the main queue runs at once, unless an earlier call of this hop is pending. No call is
/// delivered after the target is deallocated, and no delivery begins after `cancel()` returns.
public final class MainHop<Target>: Sendable {
  let core: TargetHop<Target>

  /// Creates a hop to `target`, which must be an object and is held weakly.
  @inline(never)
  public init(
    _ target: Target, _ name: StaticString = "hop", delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    core = TargetHop(
      target, name, on: .queue(MainQueue.queue), to: .main, delivery,
      site: CallSite(file: file, line: line, column: column, function: function),
      from: ms_maker())
  }

  // Not specialized: `ms_caller` would return the specialization's thunk instead of the sender.
  /// Sends a call; `call` runs on the main queue, in the order of the calls.
  @_semantics("optimize.sil.specialize.owned2guarantee.never")
  @inline(never)
  public func send(_ call: __owned @escaping @MainActor (Target) -> Void) {
    core.send(.onMain(consume call), from: ms_caller())
  }

  @_semantics("optimize.sil.specialize.owned2guarantee.never")
  @inline(never)
  func send(_ call: @escaping @MainActor (Target) -> Void, _ fallback: HopFallback) {
    core.send(.onMain(call), orElse: fallback, from: ms_caller())
  }

  /// Drops pending and later calls; no delivery begins after this returns.
  public func cancel() { core.cancel() }
}

/// Moves callbacks to a serial queue, as `MainHop` moves them to the main queue.
public final class QueueHop<Target>: Sendable {
  let core: TargetHop<Target>

  /// Creates a hop to `target`, which must be an object and is held weakly.
  @inline(never)
  public init(
    _ target: Target, to queue: DispatchQueue, _ name: StaticString = "hop",
    delivery: HopDelivery = .automatic, file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) {
    core = TargetHop(
      target, name, on: .queue(queue), to: .queue(queue), delivery,
      site: CallSite(file: file, line: line, column: column, function: function),
      from: ms_maker())
  }

  /// Creates a hop to `target` on an event loop.
  package init(
    _ target: Target, toLoop loop: Affinity, _ name: StaticString, delivery: HopDelivery,
    site: CallSite, from caller: UInt
  ) {
    guard case .loop(let home) = loop.home else { preconditionFailure("no event loop") }
    core = TargetHop(
      target, name, on: .loop(home), to: loop, delivery, site: site, from: caller)
  }

  // Not specialized: `ms_caller` would return the specialization's thunk instead of the sender.
  /// Sends a call; `call` runs on the queue, in the order of the calls.
  @_semantics("optimize.sil.specialize.owned2guarantee.never")
  @inline(never)
  public func send(_ call: __owned @escaping @Sendable (Target) -> Void) {
    core.send(.anywhere(consume call), from: ms_caller())
  }

  @_semantics("optimize.sil.specialize.owned2guarantee.never")
  @inline(never)
  func send(_ call: @escaping @Sendable (Target) -> Void, _ fallback: HopFallback) {
    core.send(.anywhere(call), orElse: fallback, from: ms_caller())
  }

  /// Drops pending and later calls; no delivery begins after this returns.
  public func cancel() { core.cancel() }
}

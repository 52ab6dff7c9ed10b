internal import CQueueState
public import Dispatch

/// Brings callbacks to the main queue, in the order they came, to a target that is held weakly.
///
///     let hop = MainHop(self, "downloads")
///     downloader.onProgress = { fraction in hop.send { $0.show(fraction) } }
///
/// Whoever is already on the main queue is served at once, unless something of this hop is pending.
/// Nothing is delivered to a target that is gone, and no delivery begins after `cancel()` returns.
public final class MainHop<Target>: Sendable {
  let core: HopCore
  private let target: WeakTarget<Target>

  /// Makes a hop to `target`, which is an object, and held weakly.
  public init(
    _ target: Target, _ name: StaticString = "hop", delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    self.target = WeakTarget(target)
    core = HopCore(
      name, to: MainQueue.queue, .main, delivery,
      site: CallSite(file: file, line: line, column: column, function: function))
  }

  /// Takes a call in; `call` runs on the main queue, in the order of the calls.
  public func send(_ call: @escaping @MainActor (Target) -> Void) {
    core.sendToMain { [target] begin in target.call(call, begin) }
  }

  /// Drops what is pending, and what still comes; no delivery begins after this returns.
  public func cancel() { core.cancel() }
}

/// Brings callbacks to a serial queue, as `MainHop` brings them to the main one.
public final class QueueHop<Target>: Sendable {
  let core: HopCore
  private let target: WeakTarget<Target>

  /// Makes a hop to `target`, which is an object, and held weakly.
  public init(
    _ target: Target, to queue: DispatchQueue, _ name: StaticString = "hop",
    delivery: HopDelivery = .automatic, file: StaticString = #fileID, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) {
    self.target = WeakTarget(target)
    core = HopCore(
      name, to: queue, .queue(queue), delivery,
      site: CallSite(file: file, line: line, column: column, function: function))
  }

  /// Takes a call in; `call` runs on the queue, in the order of the calls.
  public func send(_ call: @escaping @Sendable (Target) -> Void) {
    core.send { [target] begin in target.call(call, begin) }
  }

  /// Drops what is pending, and what still comes; no delivery begins after this returns.
  public func cancel() { core.cancel() }
}

/// An object that is called if it is still there.
struct WeakTarget<Target>: @unchecked Sendable {
  // Written once; a weak reference may be read on any thread. `Target` may be a protocol, so the
  // reference is untyped.
  private weak var object: AnyObject?

  init(_ target: Target) {
    precondition(
      type(of: target as Any) is AnyClass, "the target of a hop is held weakly, so it is an object")
    object = target as AnyObject
  }

  /// Calls the target, after `begin`; whether it was there.
  func call(_ body: (Target) -> Void, _ begin: () -> Void) -> Bool {
    guard let object, let target = object as? Target else { return false }
    begin()
    body(target)
    return true
  }
}

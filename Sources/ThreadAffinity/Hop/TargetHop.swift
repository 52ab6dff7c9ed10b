internal import CRuntime
internal import Dispatch
import Synchronization

/// A hop to an object, which is called if it is still there.
///
/// The target lives in the hop, not beside it: each call then counts one reference, not two.
final class TargetHop<Target>: HopCore, WeakHop, @unchecked Sendable {
  #if canImport(ObjectiveC)
    // Set once; `weak let` takes Swift 6.2.
    nonisolated(unsafe) private weak var object: AnyObject?
  #else
    // Every object is Swift's own here, so that it can be remembered for less.
    private let object: UnsafeMutableRawPointer
  #endif
  // The target as it was given, which may be a protocol's: its bytes alone, without a reference of
  // their own.
  private let bytes: UnsafeMutablePointer<Target>
  private let type: AnyClass
  private let hasCalled = Atomic(false)
  // Kept, as to find the type of a generic class takes longer than to make an object of it.
  private let arrivals: Arrival.Type = TargetArrival<Target>.self
  private let mainArrivals: Arrival.Type = MainArrival<Target>.self

  init(
    _ target: Target, _ name: StaticString, on road: Road, to destination: Affinity,
    _ delivery: HopDelivery, site: CallSite, from caller: UInt
  ) {
    precondition(
      Swift.type(of: target as Any) is AnyClass,
      "the target of a hop must be an object: it is held weakly")
    #if canImport(ObjectiveC)
      object = target as AnyObject
    #else
      object = Unmanaged.passUnretained(target as AnyObject).toOpaque()
      ms_object_remember(object)
    #endif
    let copy = UnsafeMutablePointer<Target>.allocate(capacity: 1)
    withUnsafeBytes(of: target) { source in
      UnsafeMutableRawPointer(copy).copyMemory(from: source.baseAddress!, byteCount: source.count)
    }
    bytes = copy
    type = Swift.type(of: target as AnyObject)
    super.init(
      name, on: road, to: destination, delivery, for: target as AnyObject, site: site, from: caller)
    LostTargets.watch?.made(self)
  }

  deinit {
    #if !canImport(ObjectiveC)
      ms_object_forget(object)
    #endif
    bytes.deallocate()
  }

  // Here and in the hops `__owned` with `consume` says what `consuming` would: on a closure that is
  // generic, that is more than Swift 6.0 compiles.

  /// Takes a call in, without an allocation where it may run at once.
  ///
  /// It consumes the call: a reference that the sender kept could be the last, and end off its home.
  func send(
    _ call: __owned @escaping (Target) -> Void, orElse fallback: HopFallback? = nil,
    from caller: UInt
  ) {
    guard runsHere else {
      let arrival = arrivals.init(at: self, from: caller)
      arrival.fallback = fallback
      unsafeDowncast(arrival, to: TargetArrival<Target>.self).call = consume call
      return take(arrival, from: caller)
    }
    runHere(from: caller) { [call] begin in self.call(call, begin) }
    fallback?.happen()
  }

  /// Takes in a call that belongs to the main actor; the hop is what makes that true.
  func sendToMain(
    _ call: __owned @escaping @MainActor (Target) -> Void, orElse fallback: HopFallback? = nil,
    from caller: UInt
  ) {
    guard runsHere else {
      let arrival = mainArrivals.init(at: self, from: caller)
      arrival.fallback = fallback
      unsafeDowncast(arrival, to: MainArrival<Target>.self).call = consume call
      return take(arrival, from: caller)
    }
    let unchecked = unsafeBitCast(consume call, to: ((Target) -> Void).self)
    runHere(from: caller) { begin in self.call(unchecked, begin) }
    fallback?.happen()
  }

  /// Calls the target, after `begin`; whether it was there.
  @inline(__always)
  func call(_ body: (Target) -> Void, _ begin: () -> Void) -> Bool {
    guard hold() else {
      if hasLostTarget { reportLostTarget(of: type, from: self) }
      return false
    }
    // Written once: what is only read stays in every processor's cache.
    if !hasCalled.load(ordering: .relaxed) { noteFirstCall() }
    // The reference that is held becomes the target's own.
    let target = bytes.move()
    begin()
    body(target)
    return true
  }

  @inline(never)
  private func noteFirstCall() {
    hasCalled.store(true, ordering: .relaxed)
    LostTargets.watch?.called()
  }

  var hasLostTarget: Bool {
    if hasCalled.load(ordering: .relaxed) { return false }
    guard hold() else { return true }
    _ = bytes.move()
    return false
  }

  /// Takes a reference to the target, unless it is gone.
  @inline(__always)
  private func hold() -> Bool {
    #if canImport(ObjectiveC)
      guard let object else { return false }
      _ = Unmanaged.passRetained(object)
      return true
    #else
      return ms_object_hold(object)
    #endif
  }
}

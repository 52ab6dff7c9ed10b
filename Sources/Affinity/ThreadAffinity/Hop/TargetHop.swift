internal import Dispatch
internal import MainActorCalls
import Synchronization

/// A call to a hop's target, by the isolation of the call.
enum TargetCall<Target> {
  case anywhere((Target) -> Void)
  /// A call isolated to the main actor. The compiler cannot verify that it runs on the main queue.
  case onMain(@MainActor (Target) -> Void)

  @inline(__always)
  func callAsFunction(_ target: Target) {
    switch self {
    case .anywhere(let call): call(target)
    case .onMain(let call): callUnchecked(call, target)
    }
  }
}

/// A hop to an object, which is called if it still exists.
final class TargetHop<Target>: HopCore, WeakHop, @unchecked Sendable {
  // Set once in `init`; a `weak let` would require Swift 6.2.
  nonisolated(unsafe) private weak var object: AnyObject?
  // The target as passed to `init`, which may have a protocol type: a cast of `object` would look up the
  // conformance at each call, and does not find every conformance. This copy owns no reference: it is read
  // only while the object exists, and is never released.
  private let uncounted: UnsafeMutablePointer<Target>
  private let type: AnyClass
  private let hasCalled = Atomic(false)
  // The class of the arrivals, cached because looking up a generic class takes longer than creating
  // an object.
  private let arrivals: Arrival.Type = TargetArrival<Target>.self

  init(
    _ target: Target, _ name: StaticString, on route: Route, to destination: Affinity,
    _ delivery: HopDelivery, site: CallSite, from caller: UInt
  ) {
    precondition(
      Swift.type(of: target as Any) is AnyClass,
      "the target of a hop must be an object, because a hop holds its target weakly")
    object = target as AnyObject
    uncounted = .allocate(capacity: 1)
    uncounted.initialize(to: target)
    Unmanaged.passUnretained(target as AnyObject).release()
    type = Swift.type(of: target as AnyObject)
    super.init(
      name, on: route, to: destination, delivery, for: target as AnyObject, site: site, from: caller
    )
    LostTargets.watch?.made(self)
  }

  deinit { uncounted.deallocate() }

  // Here and in the hops, `__owned` with `consume` replaces `consuming`, which Swift 6.0 cannot compile for a
  // generic closure.

  /// Runs a call at once, without an allocation, if allowed; otherwise enqueues the call.
  ///
  /// The call is consumed: a reference kept by the sender could be the last, and would release the captures
  /// off the destination.
  func send(
    _ call: __owned TargetCall<Target>, orElse fallback: HopFallback? = nil,
    from caller: UInt
  ) {
    guard runsHere else {
      let arrival = unsafeDowncast(
        arrivals.init(at: self, from: caller), to: TargetArrival<Target>.self)
      arrival.fallback = fallback
      arrival.call = consume call
      return take(arrival, from: caller)
    }
    runHere(from: caller) { [call] begin in
      self.call(call) {
        fallback?.isAnswered()
        begin()
      }
    }
    fallback?.happen()
  }

  /// Calls the target, after `begin`; returns whether the target existed.
  @inline(__always)
  func call(_ body: TargetCall<Target>, _ begin: () -> Void) -> Bool {
    guard let target = living else {
      if hasLostTarget { reportLostTarget(of: type, from: self) }
      return false
    }
    // Written only once, because memory that is only read stays in the caches of all processors.
    if !hasCalled.load(ordering: .relaxed) { noteFirstCall() }
    begin()
    body(target)
    return true
  }

  /// The target; nil if it no longer exists.
  private var living: Target? {
    object.map { object in withExtendedLifetime(object) { uncounted.pointee } }
  }

  @inline(never)
  private func noteFirstCall() {
    hasCalled.store(true, ordering: .relaxed)
    LostTargets.watch?.called()
  }

  var hasLostTarget: Bool { !hasCalled.load(ordering: .relaxed) && object == nil }
}

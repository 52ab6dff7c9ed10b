internal import Dispatch
internal import MainActorCalls
import Synchronization

/// A call to a hop's target, by the isolation of its type.
enum TargetCall<Target> {
  case anywhere((Target) -> Void)
  /// The main actor's, which no compiler knows to be called on the main queue.
  case onMain(@MainActor (Target) -> Void)

  @inline(__always)
  func callAsFunction(_ target: Target) {
    switch self {
    case .anywhere(let call): call(target)
    case .onMain(let call): callUnchecked(call, target)
    }
  }
}

/// A hop to an object, which is called if it is still there.
final class TargetHop<Target>: HopCore, WeakHop, @unchecked Sendable {
  // Set once; `weak let` takes Swift 6.2.
  nonisolated(unsafe) private weak var object: AnyObject?
  // The target as it was given, which may be a protocol's: a cast would look for a conformance at each call, and does
  // not find all. It counts no reference, so it is copied while the object is there, and let go of never.
  private let uncounted: UnsafeMutablePointer<Target>
  private let type: AnyClass
  private let hasCalled = Atomic(false)
  // Cached: looking up a generic class takes longer than creating an object.
  private let arrivals: Arrival.Type = TargetArrival<Target>.self

  init(
    _ target: Target, _ name: StaticString, on route: Route, to destination: Affinity,
    _ delivery: HopDelivery, site: CallSite, from caller: UInt
  ) {
    precondition(
      Swift.type(of: target as Any) is AnyClass,
      "the target of a hop must be an object: it is held weakly")
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

  // Here and in the hops `__owned` with `consume` says what `consuming` would: on a closure that is
  // generic, that is more than Swift 6.0 compiles.

  /// Takes a call in, without an allocation where it may run at once.
  ///
  /// It consumes the call: a reference that the sender kept could be the last, and end off its home.
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
    // Written once: memory that is only read stays in the caches of all processors.
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

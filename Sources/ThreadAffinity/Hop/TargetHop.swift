internal import Dispatch

/// A hop to an object, which is called if it is still there.
///
/// The target lives in the hop, not beside it: each call then counts one reference, not two.
final class TargetHop<Target>: HopCore, @unchecked Sendable {
  private weak let object: AnyObject?
  // The target as it was given, which may be a protocol's: its bytes alone, without a reference of
  // their own. They are read only while `object` is held.
  private let bytes: UnsafeMutablePointer<Target>

  init(
    _ target: Target, _ name: StaticString, on road: Road, to destination: Affinity,
    _ delivery: HopDelivery, site: CallSite, from caller: UInt
  ) {
    precondition(
      type(of: target as Any) is AnyClass, "the target of a hop is held weakly, so it is an object")
    object = target as AnyObject
    let copy = UnsafeMutablePointer<Target>.allocate(capacity: 1)
    withUnsafeBytes(of: target) { source in
      UnsafeMutableRawPointer(copy).copyMemory(from: source.baseAddress!, byteCount: source.count)
    }
    bytes = copy
    super.init(name, on: road, to: destination, delivery, site: site, from: caller)
  }

  deinit { bytes.deallocate() }

  /// Takes a call in, without an allocation where it may run at once.
  ///
  /// It consumes the call: a reference that the sender kept could be the last, and end off its home.
  func send(_ call: consuming @escaping (Target) -> Void, from caller: UInt) {
    guard runsHere else { return take(TargetArrival(at: self, from: caller, call)) }
    runHere(from: caller) { [call] begin in self.call(call, begin) }
  }

  /// Takes in a call that belongs to the main actor; the hop is what makes that true.
  func sendToMain(_ call: consuming @escaping @MainActor (Target) -> Void, from caller: UInt) {
    guard runsHere else { return take(MainArrival(at: self, from: caller, call)) }
    let unchecked = unsafeBitCast(call, to: ((Target) -> Void).self)
    runHere(from: caller) { begin in self.call(unchecked, begin) }
  }

  /// Calls the target, after `begin`; whether it was there.
  func call(_ body: (Target) -> Void, _ begin: () -> Void) -> Bool {
    guard let object else { return false }
    return withExtendedLifetime(object) {
      begin()
      body(bytes.pointee)
      return true
    }
  }
}

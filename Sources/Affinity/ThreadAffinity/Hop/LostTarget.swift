internal import CRecorder
import Synchronization

/// Reports a hop whose target was deallocated before the first call, for tests: a test in which no hop calls
/// its target checks nothing.
package struct LostTargets: Sendable {
  /// Called with each hop to an object, when the hop is created.
  let made: @Sendable (_ hop: any WeakHop) -> Void
  /// Called when a hop calls its target for the first time.
  let called: @Sendable () -> Void
  /// Called when a hop that never called its target finds the target deallocated; returns whether to report
  /// the hop.
  let areReported: @Sendable (_ hop: any WeakHop) -> Bool

  package init(
    made: @escaping @Sendable (_ hop: any WeakHop) -> Void, called: @escaping @Sendable () -> Void,
    areReported: @escaping @Sendable (_ hop: any WeakHop) -> Bool
  ) {
    self.made = made
    self.called = called
    self.areReported = areReported
  }

  /// True if `violation` reports a lost target.
  package static func isReported(by violation: AffinityViolation) -> Bool {
    violation.expected.hasSuffix(wanted)
  }

  fileprivate static let wanted = " to call"

  /// The observer of lost targets; nil outside of tests.
  package static var watch: LostTargets? {
    get { isWatched.load(ordering: .acquiring) ? watching.withLock { $0 } : nil }
    set {
      watching.withLock { $0 = newValue }
      isWatched.store(newValue != nil, ordering: .releasing)
    }
  }

  private static let isWatched = Atomic(false)
  private static let watching = Mutex<LostTargets?>(nil)
}

/// A hop that holds its target weakly.
package protocol WeakHop: AnyObject, Sendable {
  /// True if the target was deallocated before it received a call.
  var hasLostTarget: Bool { get }
}

extension HopCore {
  /// Reports a lost target, if a test observes lost targets.
  @inline(never)
  final func reportLostTarget(of type: Any.Type, from hop: any WeakHop) {
    guard let watch = LostTargets.watch, watch.areReported(hop) else { return }
    let target = String(describing: type)
    let failure = CheckFailure(
      expected: "a \(target)\(LostTargets.wanted)", name: destination.name, policy: policy)
    ViolationReporter.report(
      failure,
      message: {
        "“\(self.name)” made no call, because its \(target) was deallocated; keep the target alive until all calls have arrived"
      }, site: site)
  }
}

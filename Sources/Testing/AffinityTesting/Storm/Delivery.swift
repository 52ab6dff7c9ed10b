import Dispatch
import Glibc
import Synchronization

/// A callback that is delivered on some thread.
final class Delivery: Sendable {
  private let call: @Sendable () -> Void
  private let begun = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(_ call: @escaping @Sendable () -> Void) { self.call = call }

  /// Makes the delivery on the calling thread.
  func make() {
    begun.store(true, ordering: .releasing)
    call()
    ended.signal()
  }

  /// Waits for the delivery to end. Returns false if the delivery seems to wait for work that the
  /// storm holds.
  func endsUnlessItWaits(within patience: DispatchTimeInterval) -> Bool {
    StallDetector.completes(within: patience) { ended.wait(timeout: $0) == .success }
  }

  /// Waits for the delivery to end. Returns false if a begun delivery does not end within
  /// `patience`.
  ///
  /// The time before the delivery begins does not count, because a busy machine may start it late.
  func ends(within patience: DispatchTimeInterval) -> Bool {
    for _ in 0..<50 {
      let hasBegun = begun.load(ordering: .acquiring)
      if ended.wait(timeout: .now() + patience) == .success { return true }
      if hasBegun { return false }
    }
    return false
  }
}

/// A barrier at which two threads spin, so that they start together.
final class StartBarrier: Sendable {
  private let missing = Atomic(2)

  func wait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    var turns = 0
    while missing.load(ordering: .acquiring) > 0 {
      turns += 1
      // Spinning starts both threads together, but the other thread may need this core.
      if turns > 2000 { sched_yield() }
    }
  }
}

import Dispatch
import Glibc
import Synchronization

/// A callback on its way: sent to some thread, begun there, and perhaps ended.
final class Delivery: Sendable {
  private let call: @Sendable () -> Void
  private let begun = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(_ call: @escaping @Sendable () -> Void) { self.call = call }

  /// Makes the delivery, on the caller's thread.
  func make() {
    begun.store(true, ordering: .releasing)
    call()
    ended.signal()
  }

  /// Waits for the end; false if it seems to wait for something itself.
  func endsUnlessItWaits(within patience: DispatchTimeInterval) -> Bool {
    StallDetector.completes(within: patience) { ended.wait(timeout: $0) == .success }
  }

  /// Waits for the end; false if it is so late that it must be waiting for something itself.
  ///
  /// Time counts from the beginning: a busy machine may take long to begin.
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
      // A thread that yields starts late, but the other thread may wait for this core.
      if turns > 2000 { sched_yield() }
    }
  }
}

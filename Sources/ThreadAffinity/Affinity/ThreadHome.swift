internal import CQueueState
import Synchronization

/// A thread, once one has claimed it.
final class ThreadHome: Sendable {
  // The identity of the thread; 0 while unbound. Never given twice, unlike the kernel's ids.
  private let owner = Atomic<UInt64>(0)
  private let binding = Mutex<Origin?>(nil)

  var isCurrent: Bool {
    owner.load(ordering: .acquiring) == ms_thread_own().pointee.identity
  }

  /// Where the thread was bound, if it is.
  var boundAt: Origin? { binding.withLock { $0 } }

  /// Binds to the calling thread, if unbound.
  func bind(at site: CallSite, from caller: UInt) -> Bool {
    let identity = ms_thread_own().pointee.identity
    let (bound, _) = owner.compareExchange(
      expected: 0, desired: identity, ordering: .acquiringAndReleasing)
    guard bound else { return false }
    let origin = Origin(.bound, site: site, stack: capturedStack(from: caller))
    binding.withLock { $0 = origin }
    return true
  }

  func detach() {
    binding.withLock { $0 = nil }
    owner.store(0, ordering: .releasing)
  }
}

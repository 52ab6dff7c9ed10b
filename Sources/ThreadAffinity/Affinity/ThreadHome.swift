internal import CQueueState
import Synchronization

/// A thread, once one has claimed it.
final class ThreadHome: Sendable {
  let name: String
  // The identity of the thread; 0 while unbound. Never given twice, unlike the kernel's ids.
  private let owner = Atomic<UInt64>(0)
  private let binding = Mutex<Origin?>(nil)

  init(name: String) {
    self.name = name
  }

  var isCurrent: Bool {
    owner.load(ordering: .acquiring) == ms_thread_own().pointee.identity
  }

  /// Where the thread was bound, if it is.
  var boundAt: Origin? { binding.withLock { $0 } }

  /// Binds to the calling thread if unbound; whether the caller is then the bound thread.
  func bindOrCompare(_ site: () -> CallSite) -> Bool {
    let identity = ms_thread_own().pointee.identity
    let (bound, current) = owner.compareExchange(
      expected: 0, desired: identity, ordering: .acquiringAndReleasing)
    guard bound else { return current == identity }
    let origin = Origin(.bound, site: site(), stack: capturedStack())
    binding.withLock { $0 = origin }
    return true
  }

  func detach() {
    binding.withLock { $0 = nil }
    owner.store(0, ordering: .releasing)
  }
}

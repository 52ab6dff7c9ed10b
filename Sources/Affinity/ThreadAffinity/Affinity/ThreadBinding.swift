internal import CRecorder
import Synchronization

/// The thread to which an affinity is bound: the first thread that checks, and after `release()` the next.
///
///     let binding = ThreadBinding()
///     let render = Affinity.thread("render", binding)
public final class ThreadBinding: Sendable {
  // The identity of the bound thread; 0 while unbound. Identities are never reused, unlike the kernel's
  // thread ids.
  private let owner = Atomic<UInt64>(0)
  private let binding = Mutex<ViolationOrigin?>(nil)

  /// Creates a binding that is not bound to a thread yet.
  public init() {}

  /// Releases the thread; the next thread that checks is bound.
  public func release() {
    binding.withLock { $0 = nil }
    owner.store(0, ordering: .releasing)
  }

  var isCurrent: Bool {
    owner.load(ordering: .acquiring) == ms_thread_own().pointee.identity
  }

  /// The place where the thread was bound; nil if it is not bound.
  var boundAt: ViolationOrigin? { binding.withLock { $0 } }

  /// Binds to the calling thread; returns false if a thread is already bound.
  func bind(at site: CallSite, from caller: UInt) -> Bool {
    let identity = ms_thread_own().pointee.identity
    let (bound, _) = owner.compareExchange(
      expected: 0, desired: identity, ordering: .acquiringAndReleasing)
    guard bound else { return false }
    let origin = ViolationOrigin(.bound, site: site, frames: capturedStack(from: caller))
    binding.withLock { $0 = origin }
    return true
  }
}

import Dispatch
import Synchronization

/// Holds the main queue: blocks sent to the queue wait, and only blocks passed to `run` are
/// executed.
final class MainHold: Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let taken = DispatchSemaphore(value: 0)
  private let arrived = DispatchSemaphore(value: 0)
  private let isReleased = Mutex(false)

  private init() {}

  /// Occupies the main queue and returns the hold; nil if the queue did not become free within
  /// `patience`.
  static func take(within patience: DispatchTimeInterval) -> MainHold? {
    let hold = MainHold()
    DispatchQueue.main.async { hold.serve() }
    if hold.taken.wait(timeout: .now() + patience) == .success { return hold }
    hold.release()
    return nil
  }

  /// Runs `body` on the main queue before all waiting blocks. Does not wait for the block.
  func run(_ body: @escaping @Sendable () -> Void) {
    work.withLock { $0.append(body) }
    arrived.signal()
  }

  /// Releases the main queue, which then runs its waiting blocks.
  func release() {
    isReleased.withLock { $0 = true }
    arrived.signal()
  }

  private func serve() {
    taken.signal()
    while true {
      while let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
      if isReleased.withLock({ $0 }) { return }
      arrived.wait()
    }
  }
}

import Dispatch
import Synchronization

/// Keeps the main queue busy: blocks sent to the queue wait, and only blocks passed here run.
final class MainHold: Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let taken = DispatchSemaphore(value: 0)
  private let arrived = DispatchSemaphore(value: 0)
  private let isReleased = Mutex(false)

  private init() {}

  /// Takes the main queue, and returns when it has it; nil if it does not come in time.
  static func take(within patience: DispatchTimeInterval) -> MainHold? {
    let hold = MainHold()
    DispatchQueue.main.async { hold.serve() }
    if hold.taken.wait(timeout: .now() + patience) == .success { return hold }
    hold.release()
    return nil
  }

  /// Runs `body` on the main queue, before all waiting blocks; does not wait.
  func run(_ body: @escaping @Sendable () -> Void) {
    work.withLock { $0.append(body) }
    arrived.signal()
  }

  /// Lets the main queue run its waiting blocks.
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

import Dispatch
import Synchronization

/// Keeps the main queue busy: what others send there waits, and only what is handed over here runs.
final class MainHold: Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let arrived = DispatchSemaphore(value: 0)
  private let isReleased = Mutex(false)

  /// Takes the main queue, and returns when it has it.
  init() {
    let taken = DispatchSemaphore(value: 0)
    DispatchQueue.main.async {
      taken.signal()
      self.serve()
    }
    taken.wait()
  }

  /// Runs `body` on the main queue, before all that waits for it; does not wait.
  func run(_ body: @escaping @Sendable () -> Void) {
    work.withLock { $0.append(body) }
    arrived.signal()
  }

  /// Lets the main queue go on with what waits for it.
  func release() {
    isReleased.withLock { $0 = true }
    arrived.signal()
  }

  private func serve() {
    while true {
      arrived.wait()
      while let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
      if isReleased.withLock({ $0 }) { return }
    }
  }
}

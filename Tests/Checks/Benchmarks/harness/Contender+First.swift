import CPeers
import Foundation

extension Contender {
  /// Returns the time of the first call on a new thread, in nanoseconds.
  public func firstCallOnNewThread() -> Double {
    let trial = FirstCall(self)
    let thread = Thread { trial.run() }
    thread.start()
    trial.done.wait()
    return trial.nanoseconds
  }
}

/// One call on one thread; `nanoseconds` may be read after `done` was signaled.
private final class FirstCall: @unchecked Sendable {
  let done = DispatchSemaphore(value: 0)
  private(set) var nanoseconds = 0.0
  private let contender: Contender

  init(_ contender: Contender) { self.contender = contender }

  func run() {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1) { ticks in
      ticks.initialize(repeating: 0)
      contender.singles(0, ticks)
      nanoseconds = Clock.shared.nanoseconds(ticks[0])
    }
    done.signal()
  }
}

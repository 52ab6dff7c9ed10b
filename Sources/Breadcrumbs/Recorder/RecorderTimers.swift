import Dispatch
import Synchronization

/// The recorder's own clockwork: what must happen later, on a queue that nobody else waits for.
final class RecorderTimers: Sendable {
  private let queue = DispatchQueue(label: "mainstay.recorder", qos: .utility)
  private let repeating = Mutex<[Repeating]>([])

  /// Does `action` after `delay`.
  func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + delay.dispatchInterval, execute: action)
  }

  /// Does `action` every `interval`, until `stop`.
  func every(_ interval: Duration, _ action: @escaping @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + interval.dispatchInterval, repeating: interval.dispatchInterval,
      leeway: .milliseconds(10))
    timer.setEventHandler(handler: action)
    timer.activate()
    let repeats = Repeating(timer: timer)
    repeating.withLock { $0.append(repeats) }
  }

  /// Ends all that repeats.
  func stop() {
    repeating.withLock { timers in
      for repeats in timers { repeats.timer.cancel() }
      timers = []
    }
  }
}

/// A timer that is only ever cancelled, which Dispatch allows from any thread.
private struct Repeating: @unchecked Sendable {
  let timer: any DispatchSourceTimer
}

extension Duration {
  fileprivate var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    return .nanoseconds(Int(clamping: seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000))
  }
}

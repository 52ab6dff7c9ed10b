import Dispatch
import Synchronization

/// The timers of the recorder, on a separate queue.
final class RecorderTimers: Sendable {
  private let queue = DispatchQueue(label: "mainstay.recorder", qos: .utility)
  private let repeating = Mutex<[Repeating]>([])

  /// Runs `action` after `delay`.
  func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + delay.dispatchInterval, execute: action)
  }

  /// Runs `action` every `interval`, but at most a hundred times a second, until `stop`.
  func every(_ interval: Duration, _ action: @escaping @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let interval = max(interval, .milliseconds(10)).dispatchInterval
    timer.schedule(
      deadline: .now() + interval, repeating: interval,
      leeway: .milliseconds(10))
    timer.setEventHandler(handler: action)
    timer.activate()
    let repeats = Repeating(timer: timer)
    repeating.withLock { $0.append(repeats) }
  }

  /// Cancels all repeating timers.
  func stop() {
    repeating.withLock { timers in
      for repeats in timers { repeats.timer.cancel() }
      timers = []
    }
  }
}

// Unchecked, because the timer is only cancelled, which Dispatch allows from any thread.
/// A repeating timer.
private struct Repeating: @unchecked Sendable {
  let timer: any DispatchSourceTimer
}

extension Duration {
  fileprivate var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    let wholeSeconds = min(max(seconds, 0), 1_000_000_000)  // clamped to about thirty years
    return .nanoseconds(Int(wholeSeconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}

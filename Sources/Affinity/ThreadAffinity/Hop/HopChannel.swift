import Synchronization

/// How a burst of values is delivered.
public enum HopBurst: Sendable {
  /// Only the newest value; the values it replaces are released where they were sent.
  case latest
  /// All values since the last delivery, in order.
  case batch
}

extension MainHop {
  /// Creates a channel for bursts: however fast values come, only one delivery is pending at a time.
  ///
  /// - Parameters:
  ///   - burst: Which values are delivered.
  ///   - deliver: Gets the values on the main queue: one with `.latest`, all with `.batch`.
  public func channel<Value: Sendable>(
    _ burst: HopBurst, _ deliver: @escaping @MainActor (Target, [Value]) -> Void
  ) -> HopChannel<Value> {
    HopChannel(burst) { [self] take in
      send { target in deliver(target, take()) }
    }
  }
}

extension QueueHop {
  /// Creates a channel for bursts, as `MainHop` does; `deliver` gets the values on the queue.
  public func channel<Value: Sendable>(
    _ burst: HopBurst, _ deliver: @escaping @Sendable (Target, [Value]) -> Void
  ) -> HopChannel<Value> {
    HopChannel(burst) { [self] take in
      send { target in deliver(target, take()) }
    }
  }
}

/// Accepts values as fast as they come, and delivers them as fast as the target can take them.
public final class HopChannel<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var isPending = false
  }

  private let state = Mutex(State())
  private let burst: HopBurst
  private let enqueue: @Sendable (@escaping @Sendable () -> [Value]) -> Void

  init(
    _ burst: HopBurst, enqueue: @escaping @Sendable (@escaping @Sendable () -> [Value]) -> Void
  ) {
    self.burst = burst
    self.enqueue = enqueue
  }

  /// Sends a value.
  public func send(_ value: Value) {
    // A replaced value is released outside of the lock, because its release may send.
    let (isFirst, overtaken): (Bool, Value?) = state.withLock { state in
      defer { state.isPending = true }
      guard burst == .latest, let overtaken = state.values.first else {
        state.values.append(value)
        return (!state.isPending, nil)
      }
      state.values[0] = value
      return (!state.isPending, overtaken)
    }
    withExtendedLifetime(overtaken) {}
    if isFirst { enqueue { [self] in take() } }
  }

  private func take() -> [Value] {
    state.withLock { state in
      state.isPending = false
      defer { state.values = [] }
      return state.values
    }
  }
}

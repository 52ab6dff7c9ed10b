import Synchronization

/// The values of a burst that a hop delivers.
public enum Coalescing: Sendable {
  /// The newest value only; the values that it replaces are released on the sending thread.
  case latest
  /// All values since the last delivery, in order.
  case batch
}

extension MainHop {
  /// Returns a function that sends values to the target and keeps at most one delivery pending.
  ///
  ///     let send = hop.sender(coalescing: .latest) { view, fractions in view.show(fractions[0]) }
  ///     downloader.onProgress { send($0) }
  ///
  /// - Parameters:
  ///   - coalescing: The values that are delivered.
  ///   - deliver: Receives the values on the main queue: a single value with `.latest`, all values with
  ///     `.batch`.
  public func sender<Value: Sendable>(
    coalescing: Coalescing, _ deliver: @escaping @MainActor (Target, [Value]) -> Void
  ) -> @Sendable (Value) -> Void {
    let burst = Burst(coalescing) { [self] take in
      send { target in deliver(target, take()) }
    }
    return burst.add
  }
}

extension QueueHop {
  /// Returns a function that sends values to the target and keeps at most one delivery pending.
  ///
  /// - Parameters:
  ///   - coalescing: The values that are delivered.
  ///   - deliver: Receives the values on the queue: a single value with `.latest`, all values with `.batch`.
  public func sender<Value: Sendable>(
    coalescing: Coalescing, _ deliver: @escaping @Sendable (Target, [Value]) -> Void
  ) -> @Sendable (Value) -> Void {
    let burst = Burst(coalescing) { [self] take in
      send { target in deliver(target, take()) }
    }
    return burst.add
  }
}

/// The values that wait for the pending delivery.
private final class Burst<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var isPending = false
  }

  private let state = Mutex(State())
  private let coalescing: Coalescing
  private let enqueue: @Sendable (@escaping @Sendable () -> [Value]) -> Void

  init(
    _ coalescing: Coalescing,
    enqueue: @escaping @Sendable (@escaping @Sendable () -> [Value]) -> Void
  ) {
    self.coalescing = coalescing
    self.enqueue = enqueue
  }

  @Sendable func add(_ value: Value) {
    // A replaced value is released outside of the lock, because its deinitializer may send.
    let (isFirst, replaced): (Bool, Value?) = state.withLock { state in
      defer { state.isPending = true }
      guard coalescing == .latest, let replaced = state.values.first else {
        state.values.append(value)
        return (!state.isPending, nil)
      }
      state.values[0] = value
      return (!state.isPending, replaced)
    }
    withExtendedLifetime(replaced) {}
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

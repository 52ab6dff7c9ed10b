import Synchronization

/// Gives one value after the other, and the last one for good.
final class Turns<Value: Sendable>: Sendable {
  private let rest: Mutex<[Value]>

  init(_ values: [Value]) { rest = Mutex(values) }

  func next() -> Value {
    rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
  }
}

/// Values by their keys; where there are too many, the one that was asked for longest ago goes first.
public struct RecentValues<Key: Hashable, Value> {
  private let capacity: Int
  private var values: [Key: Value] = [:]
  /// The one asked for last is the last.
  private var order: [Key] = []

  /// Room for so many values.
  public init(capacity: Int) { self.capacity = capacity }

  /// - Complexity: O(capacity).
  public subscript(key: Key) -> Value? {
    mutating get {
      if values[key] != nil { touch(key) }
      return values[key]
    }
    set {
      order.removeAll { $0 == key }
      values[key] = newValue
      if newValue != nil { order.append(key) }
      while order.count > capacity { values[order.removeFirst()] = nil }
    }
  }

  private mutating func touch(_ key: Key) {
    order.removeAll { $0 == key }
    order.append(key)
  }
}

extension RecentValues: Sendable where Key: Sendable, Value: Sendable {}

/// A cache that clears itself when full, so that following a log for days takes no more memory than
/// reading it once.
package struct BoundedCache<Key: Hashable, Value> {
  private static var limit: Int { 1 << 16 }

  private var values: [Key: Value] = [:]

  package init() {}

  package subscript(key: Key) -> Value? { values[key] }

  package mutating func keep(_ value: Value, for key: Key) {
    if values.count >= Self.limit { values.removeAll(keepingCapacity: true) }
    values[key] = value
  }

  package mutating func removeAll() { values = [:] }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}

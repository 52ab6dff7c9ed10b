/// From when to when something was seen, in nanoseconds since 1970; 0 where that is not told.
package struct WallSpan: Hashable, Sendable, Codable {
  package private(set) var first: UInt64
  package private(set) var last: UInt64

  package init(_ wall: UInt64) { self.init(wall, wall) }

  package init(_ first: UInt64, _ last: UInt64) {
    self.first = first
    self.last = last
  }

  /// Takes in another one; what is not told changes nothing.
  package mutating func extend(to other: WallSpan) {
    guard other.last > 0 else { return }
    first = first == 0 ? other.first : min(first, other.first)
    last = max(last, other.last)
  }
}

/// A time span in nanoseconds since 1970; 0 if unknown.
package struct WallSpan: Hashable, Sendable, Codable {
  package private(set) var first: UInt64
  package private(set) var last: UInt64

  package init(_ wall: UInt64) { self.init(wall, wall) }

  package init(_ first: UInt64, _ last: UInt64) {
    self.first = first
    self.last = last
  }

  /// Extends the span to another one; an unknown span has no effect.
  package mutating func extend(to other: WallSpan) {
    guard other.last > 0 else { return }
    first = first == 0 ? other.first : min(first, other.first)
    last = max(last, other.last)
  }
}

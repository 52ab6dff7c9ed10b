import CBreadcrumbLog

/// Turns the log's ticks into monotonic and wall time, by the instants seen on all clocks.
struct LogClock {
  private var anchors: [ms_anchor]
  private let ticksAreNanoseconds: Bool

  init(anchors: [ms_anchor], clock: UInt32) {
    ticksAreNanoseconds = clock == MS_CLOCK_MONOTONIC.rawValue
    self.anchors = []
    for anchor in anchors.sorted(by: { $0.ticks < $1.ticks })
    where anchor.ticks > (self.anchors.last?.ticks ?? 0)
      && anchor.monotonic_ns >= (self.anchors.last?.monotonic_ns ?? 0)
    {
      self.anchors.append(anchor)
    }
  }

  /// Monotonic and wall nanoseconds at `ticks`.
  func time(at ticks: UInt64) -> (monotonic: UInt64, wall: UInt64) {
    guard let nearest = anchor(before: ticks) ?? anchors.first else { return (ticks, ticks) }
    let monotonic = ticksAreNanoseconds ? ticks : interpolated(ticks, near: nearest)
    let passed = Int64(truncatingIfNeeded: monotonic &- nearest.monotonic_ns)
    return (monotonic, UInt64(bitPattern: Int64(bitPattern: nearest.wall_ns) &+ passed))
  }

  /// How time runs near one instant: what a chunk's events are told by, without a search for each.
  struct Pace {
    fileprivate let ticks: UInt64
    fileprivate let monotonic: UInt64
    fileprivate let wall: UInt64
    fileprivate let nanosecondsPerTick: Double

    /// Monotonic and wall nanoseconds at `ticks`.
    @inline(__always)
    func time(at ticks: UInt64) -> (monotonic: UInt64, wall: UInt64) {
      let difference = Double(Int64(truncatingIfNeeded: ticks &- self.ticks)) * nanosecondsPerTick
      let passed = abs(difference) < 1e18 ? UInt64(bitPattern: Int64(difference)) : 0
      return (monotonic &+ passed, wall &+ passed)
    }
  }

  /// How time runs from `ticks` on.
  func pace(at ticks: UInt64) -> Pace {
    let start = time(at: ticks)
    return Pace(
      ticks: ticks, monotonic: start.monotonic, wall: start.wall,
      nanosecondsPerTick: ticksAreNanoseconds ? 1 : nanosecondsPerTick)
  }

  private func index(before ticks: UInt64) -> Int? {
    var low = 0
    var high = anchors.count
    while low < high {
      let middle = (low + high) / 2
      if anchors[middle].ticks <= ticks { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  private func anchor(before ticks: UInt64) -> ms_anchor? {
    index(before: ticks).map { anchors[$0] }
  }

  private func interpolated(_ ticks: UInt64, near nearest: ms_anchor) -> UInt64 {
    let difference = Double(Int64(truncatingIfNeeded: ticks &- nearest.ticks))
    let nanoseconds = difference * nanosecondsPerTick
    guard nanoseconds.isFinite, abs(nanoseconds) < 1e18 else { return nearest.monotonic_ns }
    return nearest.monotonic_ns &+ UInt64(bitPattern: Int64(nanoseconds))
  }

  /// Over all that was seen: the longer the base, the better the rate.
  private var nanosecondsPerTick: Double {
    guard let first = anchors.first, let last = anchors.last, last.ticks > first.ticks else {
      return 1
    }
    return Double(last.monotonic_ns - first.monotonic_ns) / Double(last.ticks - first.ticks)
  }
}

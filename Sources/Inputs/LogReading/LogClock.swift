import CLogFormat

/// Turns the log's ticks into monotonic and wall time, by the instants seen on all clocks.
struct LogClock {
  private var anchors: [ms_anchor]
  private let ticksAreNanoseconds: Bool
  /// The rate for a log with a single anchor, from which no rate can be computed.
  private let nanosecondsPerTick: Double

  /// - Parameter tickLength: In 2^-24 ns, as a chunk has it.
  init(anchors: [ms_anchor], clock: UInt32, tickLength: UInt32?) {
    nanosecondsPerTick = tickLength.map { Double($0) / 0x1p24 } ?? 1
    ticksAreNanoseconds = clock == MS_CLOCK_MONOTONIC.rawValue
    self.anchors = Self.thinned(anchors.sorted { $0.ticks < $1.ticks })
  }

  /// The newest instant that was written down, on the monotonic clock.
  var newest: UInt64 { anchors.last?.monotonic_ns ?? 0 }

  /// Monotonic and wall nanoseconds at `ticks`. Later ticks never give an earlier monotonic time.
  func time(at ticks: UInt64) -> (monotonic: UInt64, wall: UInt64) {
    pace(at: ticks).time(at: ticks)
  }

  /// Anchors that increase on both clocks and are so far apart that their inaccuracy does not distort the rate
  /// between them. The first and the last are kept.
  private static func thinned(_ anchors: [ms_anchor]) -> [ms_anchor] {
    guard let first = anchors.first, let last = anchors.last else { return [] }
    let span = last.monotonic_ns > first.monotonic_ns ? last.monotonic_ns - first.monotonic_ns : 0
    let apart = max(span / 1000, 10_000_000)
    var kept = [first]
    for anchor in anchors {
      let (ticks, monotonic) = (kept.last!.ticks, kept.last!.monotonic_ns)
      if anchor.ticks > ticks, anchor.monotonic_ns > monotonic,
        anchor.monotonic_ns - monotonic >= apart
      {
        kept.append(anchor)
      }
    }
    if kept.count == 1, last.ticks > first.ticks, last.monotonic_ns > first.monotonic_ns {
      kept.append(last)
    }
    return kept
  }

  /// The rate between two neighboring anchors: a caller that converts many times in order need not search for
  /// each.
  struct Pace {
    /// The range of ticks for which the rate is valid.
    fileprivate let range: Range<UInt64>
    fileprivate let anchor: ms_anchor
    /// Nil if ticks are nanoseconds.
    fileprivate let nanosecondsPerTick: Double?

    @inline(__always)
    func covers(_ ticks: UInt64) -> Bool { range.contains(ticks) }

    /// Monotonic and wall nanoseconds at `ticks`.
    @inline(__always)
    func time(at ticks: UInt64) -> (monotonic: UInt64, wall: UInt64) {
      let passed: UInt64
      if let nanosecondsPerTick {
        let ticks = Double(Int64(truncatingIfNeeded: ticks &- anchor.ticks))
        let nanoseconds = ticks * nanosecondsPerTick
        passed = abs(nanoseconds) < 1e18 ? UInt64(bitPattern: Int64(nanoseconds)) : 0
      } else {
        passed = ticks &- anchor.monotonic_ns
      }
      return (anchor.monotonic_ns &+ passed, anchor.wall_ns &+ passed)
    }
  }

  /// How time runs at `ticks`.
  func pace(at ticks: UInt64) -> Pace {
    guard let first = anchors.first else {
      return Pace(range: 0..<UInt64.max, anchor: ms_anchor(), nanosecondsPerTick: nil)
    }
    let before = index(before: ticks)
    let next = before.map { $0 + 1 } ?? 0
    return Pace(
      range: (before == nil ? 0 : anchors[next - 1].ticks)..<(next < anchors.count
        ? anchors[next].ticks : UInt64.max),
      anchor: before.map { anchors[$0] } ?? first,
      nanosecondsPerTick: ticksAreNanoseconds ? nil : rate(after: before ?? 0))
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

  /// Nanoseconds a tick between an anchor and the next; after the last, as before it.
  private func rate(after index: Int) -> Double {
    guard anchors.count > 1 else { return nanosecondsPerTick }
    let from = min(index, anchors.count - 2)
    let (first, second) = (anchors[from], anchors[from + 1])
    return Double(second.monotonic_ns - first.monotonic_ns) / Double(second.ticks - first.ticks)
  }
}

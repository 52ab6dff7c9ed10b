import CLogFormat

/// Converts ticks of the log to monotonic and wall time, by anchors that were read on all clocks at
/// once.
struct LogClock {
  private var anchors: [ms_anchor]
  private let ticksAreNanoseconds: Bool
  /// The rate for a log with a single anchor, from which no rate can be computed.
  private let nanosecondsPerTick: Double

  /// - Parameter tickLength: The length of a tick in 2^-24 ns, from a chunk header.
  init(anchors: [ms_anchor], clock: UInt32, tickLength: UInt32?) {
    nanosecondsPerTick = tickLength.map { Double($0) / 0x1p24 } ?? 1
    ticksAreNanoseconds = clock == MS_CLOCK_MONOTONIC.rawValue
    self.anchors = Self.thinned(anchors.sorted { $0.ticks < $1.ticks })
  }

  /// The monotonic time of the newest anchor.
  var newest: UInt64 { anchors.last?.monotonic_ns ?? 0 }

  /// The monotonic and wall time at `ticks`, in nanoseconds. The monotonic time never decreases
  /// with `ticks`.
  func time(at ticks: UInt64) -> (monotonic: UInt64, wall: UInt64) {
    pace(at: ticks).time(at: ticks)
  }

  /// Selects anchors that increase on both clocks and are far enough apart that their inaccuracy
  /// does not distort the rate between them. Keeps the first and the last anchor.
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

  /// The rate between two neighboring anchors. Callers that convert many times in order reuse a
  /// pace to avoid a search for each conversion.
  struct Pace {
    /// The range of ticks for which the rate is valid.
    fileprivate let range: Range<UInt64>
    fileprivate let anchor: ms_anchor
    /// The duration of a tick; nil if ticks are nanoseconds.
    fileprivate let nanosecondsPerTick: Double?

    @inline(__always)
    func covers(_ ticks: UInt64) -> Bool { range.contains(ticks) }

    /// The monotonic and wall time at `ticks`, in nanoseconds.
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

  /// The pace that is valid at `ticks`.
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

  /// The nanoseconds per tick between an anchor and the next one. The last rate also applies after
  /// the last anchor.
  private func rate(after index: Int) -> Double {
    guard anchors.count > 1 else { return nanosecondsPerTick }
    let from = min(index, anchors.count - 2)
    let (first, second) = (anchors[from], anchors[from + 1])
    return Double(second.monotonic_ns - first.monotonic_ns) / Double(second.ticks - first.ticks)
  }
}

import CPeers

/// The conversion of ticks to nanoseconds, measured once at the start.
struct Clock {
  let nanosecondsPerTick: Double
  /// The median time between two consecutive readings: shorter calls cannot be resolved.
  let cost: Double

  static let shared = Clock()

  private init() {
    bench_start()
    let startTicks = bench_ticks()
    let start = bench_monotonic()
    while bench_monotonic() - start < 50_000_000 {}
    let nanosecondsPerTick =
      Double(bench_monotonic() - start) / Double(bench_ticks() &- startTicks)
    let readings = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 100_000)
    defer { readings.deallocate() }
    readings.initialize(repeating: 0)
    Contender("nothing") { _ in EmptyCall() }.singles(0, readings)
    self.nanosecondsPerTick = nanosecondsPerTick
    cost = readings.map { Double($0) * nanosecondsPerTick }.quantile(0.5)
  }

  /// Returns the time of a single call without the cost of the readings, but at least that cost.
  func nanoseconds(_ ticks: UInt64) -> Double {
    max(cost, Double(ticks) * nanosecondsPerTick - cost)
  }
}

extension [Double] {
  /// Returns the value below which `share` of all values lie.
  public func quantile(_ share: Double) -> Double {
    guard !isEmpty else { return .nan }
    return sorted()[Swift.min(count - 1, Int(Double(count) * share))]
  }
}

import CPeers

/// What the ticks around a single call are worth, found out once at start.
struct Clock {
  let nanosecondsPerTick: Double
  /// The median of two readings with nothing between them: what cannot be told from nothing.
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

  /// How long a single call took, without the readings; at least what they cost themselves.
  func nanoseconds(_ ticks: UInt64) -> Double {
    max(cost, Double(ticks) * nanosecondsPerTick - cost)
  }
}

extension [Double] {
  /// The value below which a share of all values lies.
  public func quantile(_ share: Double) -> Double {
    guard !isEmpty else { return .nan }
    return sorted()[Swift.min(count - 1, Int(Double(count) * share))]
  }
}

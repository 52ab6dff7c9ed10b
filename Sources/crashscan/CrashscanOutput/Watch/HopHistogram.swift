/// The latencies of hops from arrival to run, in the last minute and in total.
struct HopHistogram: Sendable {
  /// The number of buckets. Their bounds rise by factors of four: up to 1 µs, 4 µs, …, 1 s, and
  /// above.
  static let bucketCount = 12

  private var seconds: [[Int]] = []
  private var current = [Int](repeating: 0, count: HopHistogram.bucketCount)
  private(set) var total = 0
  private(set) var longest: UInt64 = 0

  private static let most = 60

  mutating func add(nanoseconds: UInt64) {
    current[Self.bucket(of: nanoseconds)] += 1
    total += 1
    longest = max(longest, nanoseconds)
  }

  /// Completes the current second.
  mutating func turn() {
    seconds.append(current)
    current = [Int](repeating: 0, count: Self.bucketCount)
    if seconds.count > Self.most { seconds.removeFirst() }
  }

  /// The number of hops in the last minute, by bucket.
  var lastMinute: [Int] {
    seconds.reduce(into: current) { sums, second in
      for bucket in sums.indices { sums[bucket] += second[bucket] }
    }
  }

  /// Returns the bucket bound below which the given share of the last minute's hops lies; nil
  /// without hops.
  func bound(ofShare share: Double) -> UInt64? {
    let counts = lastMinute
    let all = counts.reduce(0, +)
    guard all > 0 else { return nil }
    var seen = 0
    for (bucket, count) in counts.enumerated() {
      seen += count
      if Double(seen) >= share * Double(all) { return Self.bound(of: bucket) ?? longest }
    }
    return longest
  }

  /// Returns the upper bound of a bucket in nanoseconds; nil for the last bucket.
  static func bound(of bucket: Int) -> UInt64? {
    bucket < bucketCount - 1 ? 1000 << UInt64(2 * bucket) : nil
  }

  private static func bucket(of nanoseconds: UInt64) -> Int {
    (0..<bucketCount).first { nanoseconds <= bound(of: $0) ?? .max } ?? bucketCount - 1
  }
}

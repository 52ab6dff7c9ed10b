/// How long hops took from arrival to run, of late and in all.
struct HopHistogram: Sendable {
  /// Bounds rise by four: up to 1 µs, 4 µs, …, 1 s; and what took longer.
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

  /// A second is over.
  mutating func turn() {
    seconds.append(current)
    current = [Int](repeating: 0, count: Self.bucketCount)
    if seconds.count > Self.most { seconds.removeFirst() }
  }

  /// How many there were in the last minute, by bucket.
  var lastMinute: [Int] {
    seconds.reduce(into: current) { sums, second in
      for bucket in sums.indices { sums[bucket] += second[bucket] }
    }
  }

  /// Up to where the given share of the last minute's hops went; nil without any.
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

  /// The longest time that a bucket takes, in nanoseconds; nil for the last one.
  static func bound(of bucket: Int) -> UInt64? {
    bucket < bucketCount - 1 ? 1000 << UInt64(2 * bucket) : nil
  }

  private static func bucket(of nanoseconds: UInt64) -> Int {
    (0..<bucketCount).first { nanoseconds <= bound(of: $0) ?? .max } ?? bucketCount - 1
  }
}

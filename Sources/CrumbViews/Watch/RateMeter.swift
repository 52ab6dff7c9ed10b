/// How many came each second of late.
struct RateMeter: Sendable {
  /// The last whole seconds, the newest last.
  private(set) var seconds: [Int] = []
  private(set) var total = 0
  private var current = 0

  private static let most = 60

  /// How many came in the last whole second.
  var perSecond: Int { seconds.last ?? current }

  mutating func add(_ count: Int = 1) {
    current += count
    total += count
  }

  /// A second is over.
  mutating func turn() {
    seconds.append(current)
    current = 0
    if seconds.count > Self.most { seconds.removeFirst() }
  }
}

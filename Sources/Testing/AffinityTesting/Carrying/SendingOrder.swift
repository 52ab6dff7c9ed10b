import Synchronization

/// Where a piece of work stands among all that was sent: the same in each run, whichever thread is faster.
///
/// Work counts what it sends. So what is sent at the same time by two of them has an order that no clock makes.
final class SendingOrder: Sendable {
  /// The number of who sent it, then of what that sent, and so on.
  let path: [UInt32]
  /// Whether its time was the clock's, or that of what sent it.
  let isOfClock: Bool
  private let sent = Atomic<UInt32>(0)

  /// Longer ways are cut: what sends itself again and again is no tree.
  private static let deepest = 64

  private init(_ path: [UInt32], isOfClock: Bool) {
    self.path = path
    self.isOfClock = isOfClock
  }

  /// What nobody has sent.
  convenience init() { self.init([], isOfClock: false) }

  /// Of what is sent next.
  func next(isOfClock: Bool = false) -> SendingOrder {
    let number = sent.add(1, ordering: .relaxed).newValue
    return SendingOrder(
      path.count < Self.deepest ? path + [number] : path, isOfClock: self.isOfClock || isOfClock)
  }
}

import Synchronization

/// The position of a piece of work among all sent work: the same in each run, whichever thread is faster.
///
final class SendingOrder: Sendable {
  /// The number of the sender, then of the work that it sent, and so on.
  let path: [UInt32]
  /// True if a clock set its time; false if its sender did.
  let isOfClock: Bool
  private let sent = Atomic<UInt32>(0)

  /// Longer paths are cut: work that sends itself repeatedly is no tree.
  private static let deepest = 64

  private init(_ path: [UInt32], isOfClock: Bool) {
    self.path = path
    self.isOfClock = isOfClock
  }

  /// The order of work without a sender.
  convenience init() { self.init([], isOfClock: false) }

  /// The order of the next work that is sent.
  func next(isOfClock: Bool = false) -> SendingOrder {
    let number = sent.add(1, ordering: .relaxed).newValue
    return SendingOrder(
      path.count < Self.deepest ? path + [number] : path, isOfClock: self.isOfClock || isOfClock)
  }
}

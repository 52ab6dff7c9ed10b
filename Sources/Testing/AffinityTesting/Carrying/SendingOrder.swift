import Synchronization

/// The position of a piece of work among all sent work. The position is the same in every run,
/// regardless of thread timing.
final class SendingOrder: Sendable {
  /// The path from the first sender to the work: at each level, the number of the work among all
  /// work of its sender.
  let path: [UInt32]
  /// True if a timer determines when the work runs; false if the sender does.
  let isOfClock: Bool
  private let sent = Atomic<UInt32>(0)

  /// The maximum length of a path. Longer paths are truncated, because work that resends itself
  /// forms an endless chain.
  private static let deepest = 64

  private init(_ path: [UInt32], isOfClock: Bool) {
    self.path = path
    self.isOfClock = isOfClock
  }

  /// Creates the position of work without a sender.
  convenience init() { self.init([], isOfClock: false) }

  /// Returns the position of the next work that is sent.
  func next(isOfClock: Bool = false) -> SendingOrder {
    let number = sent.add(1, ordering: .relaxed).newValue
    return SendingOrder(
      path.count < Self.deepest ? path + [number] : path, isOfClock: self.isOfClock || isOfClock)
  }
}

import Synchronization

/// What a storm has learnt from the schedules it has played.
final class StormMemory: Sendable {
  private let blockers = Mutex<Set<String>>([])
  private let plays: Mutex<UInt64>

  /// - Parameter plays: How many schedules have been played before.
  init(plays: UInt64 = 0) { self.plays = Mutex(plays) }

  /// The number of a schedule that is about to be played.
  func nextPlay() -> UInt64 {
    plays.withLock { plays in
      defer { plays += 1 }
      return plays
    }
  }

  /// Whether the callback of a step has been seen to wait for the main queue: for it, it is free.
  func waitsForMain(_ step: StormStep) -> Bool {
    guard case .deliver(let name, _) = step.action else { return false }
    return blockers.withLock { $0.contains(name) }
  }

  func noteWaitsForMain(_ step: StormStep) {
    guard case .deliver(let name, _) = step.action else { return }
    blockers.withLock { _ = $0.insert(name) }
  }
}

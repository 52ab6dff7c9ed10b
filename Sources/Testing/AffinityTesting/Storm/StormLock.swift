/// A lock for the main queue of this process: storms may run in parallel, but only one storm plays
/// a schedule at a time.
actor StormLock {
  static let shared = StormLock()

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits until the lock is free, and takes the lock.
  func enter() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Passes the lock to the task that has waited longest.
  func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}

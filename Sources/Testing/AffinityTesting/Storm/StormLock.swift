/// Lets one schedule at a time have the main queue of this process: storms may run in parallel.
actor StormLock {
  static let shared = StormLock()

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits until the stage is free, and takes it.
  func enter() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Passes the stage to the task that has waited longest.
  func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}

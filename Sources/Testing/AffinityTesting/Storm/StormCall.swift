import Dispatch

/// A call that a delivery makes.
enum StormCall: Sendable {
  case plain(@Sendable () -> Void)
  case asynchronous(@Sendable () async -> Void)

  /// Returns a call that may be made only on the main queue.
  static func plain(onMain call: @escaping @Sendable @MainActor () -> Void) -> StormCall {
    .plain { MainActor.assumeIsolated(call) }
  }

  var isAsynchronous: Bool {
    if case .asynchronous = self { return true }
    return false
  }

  /// Makes the call on the calling thread, or starts a task that makes it.
  func make() {
    switch self {
    case .plain(let call): call()
    case .asynchronous(let call): Task(executorPreference: StormExecutor.shared) { await call() }
    }
  }
}

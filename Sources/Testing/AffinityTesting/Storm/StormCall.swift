import Dispatch

/// A call that a delivery makes.
enum StormCall: Sendable {
  case plain(@Sendable () -> Void)
  case asynchronous(@Sendable () async -> Void)

  /// A call that is made on the main queue alone.
  static func plain(onMain call: @escaping @Sendable @MainActor () -> Void) -> StormCall {
    .plain { MainActor.assumeIsolated(call) }
  }

  var isAsynchronous: Bool {
    if case .asynchronous = self { return true }
    return false
  }

  /// Makes the call here, or begins a task that makes it.
  func make() {
    switch self {
    case .plain(let call): call()
    case .asynchronous(let call): Task(executorPreference: StormExecutor.shared) { await call() }
    }
  }
}

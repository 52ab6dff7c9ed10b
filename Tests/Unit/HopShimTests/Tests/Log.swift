import Dispatch
import Synchronization
import ThreadAffinity

/// What was called, in order, each with whether that was on the main queue.
final class Log: Sendable {
  private struct State {
    var calls: [String] = []
    var strays: [String] = []
  }
  private let state = Mutex(State())

  var calls: [String] { state.withLock { $0.calls } }
  /// The calls that did not run on the main queue.
  var strays: [String] { state.withLock { $0.strays } }

  func note(_ call: String) {
    let isOnMain = MainQueue.isCurrent
    state.withLock { state in
      state.calls.append(call)
      if !isOnMain { state.strays.append(call) }
    }
  }
}

/// Runs `body` on a queue that is not the main one.
func offMain<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "tests.off").async { continuation.resume(returning: body()) }
  }
}

/// Lets everything that was enqueued on the main queue so far run.
func drainMain() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

/// What `body` throws.
func failure<T>(_ body: () throws -> T) -> (any Error)? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

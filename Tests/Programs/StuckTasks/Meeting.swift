import Dispatch
import Glibc
import Synchronization

/// Brings threads and tasks to the same point before any of them goes on.
final class Meeting: Sendable {
  private let missing: Mutex<Int>

  init(_ parties: Int) { missing = Mutex(parties) }

  func arrive() { missing.withLock { $0 -= 1 } }

  var isComplete: Bool { missing.withLock { $0 <= 0 } }

  /// Waits without giving up the thread.
  func join() {
    arrive()
    while !isComplete { sched_yield() }
  }

  /// Waits for all others, as a task.
  func others() async {
    while !isComplete { try? await Task.sleep(for: .milliseconds(1)) }
  }
}

/// Something that outlives the scene.
final class Keeper: Sendable {
  static let shared = Keeper()
  private let values = Mutex<[any Sendable]>([])
  func keep(_ value: some Sendable) { values.withLock { $0.append(value) } }
  var isEmpty: Bool { values.withLock { $0.isEmpty } }
}

/// Keeps what is not to be used by others.
struct Kept: @unchecked Sendable { let value: Any }

/// Says that the scene is set, where its own task cannot any more.
func ready() {
  print("READY")
  fflush(nil)
}

/// Blocks the thread that a task runs on, as code does that was not written for tasks.
nonisolated func block(on semaphore: DispatchSemaphore) { semaphore.wait() }

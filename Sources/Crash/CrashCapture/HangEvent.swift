internal import CCrashHandler
import Synchronization

/// A hang that was recorded, or its end.
package struct HangEvent: Sendable {
  /// The executor that did not answer: `main queue`, `loop connections 1`.
  package let executor: String
  /// How long it has lasted.
  package let nanoseconds: UInt64
  package let hasEnded: Bool
}

extension CrashHandler {
  private static let watchers = Mutex<[@Sendable (HangEvent) -> Void]>([])

  /// Tells `watcher` of hangs from now on, on the thread that watches; it must not wait.
  package static func watchHangs(_ watcher: @escaping @Sendable (HangEvent) -> Void) {
    watchers.withLock { $0.append(watcher) }
    ms_hang_tell { executor, name, lasted, hasEnded in
      let words = [executor, name].compactMap { $0.map { String(cString: $0) } }
      let hang = HangEvent(
        executor: words.filter { !$0.isEmpty }.joined(separator: " "), nanoseconds: lasted,
        hasEnded: hasEnded)
      for watcher in CrashHandler.watchers.withLock({ $0 }) { watcher(hang) }
    }
  }
}

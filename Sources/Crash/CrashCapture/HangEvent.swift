internal import CCrashHandler
import Synchronization

/// A recorded hang, or its end.
package struct HangEvent: Sendable {
  /// The executor that did not answer, such as `main queue` or `loop connections 1`.
  package let executor: String
  /// The duration of the hang so far.
  package let nanoseconds: UInt64
  package let hasEnded: Bool
}

extension CrashHandler {
  private static let watchers = Mutex<[@Sendable (HangEvent) -> Void]>([])

  /// Calls `watcher` for each later hang, on the watch thread; `watcher` must not block.
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

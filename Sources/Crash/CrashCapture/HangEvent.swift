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

/// The answer of a watched executor to a beat.
package struct AnswerEvent: Sendable {
  /// The kind of executor: `main queue`, `pool`, `loop`, `queue` or `actor`.
  package let kind: String
  /// The name of the executor; empty for the main queue.
  package let name: String
  /// The time from the beat to its answer.
  package let nanoseconds: UInt64
}

extension CrashHandler {
  private static let watchers = Mutex<[@Sendable (HangEvent) -> Void]>([])
  private static let answerWatchers = Mutex<[@Sendable (AnswerEvent) -> Void]>([])

  /// Calls `watcher` for each later answer of a watched executor, on the watch thread; `watcher` must not
  /// block.
  package static func watchAnswers(_ watcher: @escaping @Sendable (AnswerEvent) -> Void) {
    answerWatchers.withLock { $0.append(watcher) }
    ms_answers_tell { executor, name, took in
      let answer = AnswerEvent(
        kind: executor.map { String(cString: $0) } ?? "",
        name: name.map { String(cString: $0) } ?? "", nanoseconds: took)
      for watcher in CrashHandler.answerWatchers.withLock({ $0 }) { watcher(answer) }
    }
  }

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

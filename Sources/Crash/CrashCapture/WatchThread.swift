internal import CCrashHandler

/// The thread that watches executors, which ends with this value.
final class WatchThread: Sendable {
  // Ended only by `deinit`; the C side runs on a thread of its own.
  nonisolated(unsafe) private let watch: OpaquePointer

  /// Nil if no thread can be created. With a threshold of zero the main queue, the pools or the
  /// event loops are not watched.
  init?(log: OpaquePointer, mainQueue: Duration, pools: Duration, loops: Duration) {
    let watch = ms_hang_watch_begin(
      log, mainQueue.nanoseconds, pools.nanoseconds, loops.nanoseconds
    ) { priority, beat in
      Task.detached(priority: TaskPriority(rawValue: priority)) { ms_watched_come(beat) }
    }
    guard let watch else { return nil }
    self.watch = watch
  }

  deinit { ms_hang_watch_end(watch) }
}

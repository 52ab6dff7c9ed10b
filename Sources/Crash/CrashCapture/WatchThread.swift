internal import CCrashHandler

/// The thread that watches executors. Deallocation of this value ends the thread.
final class WatchThread: Sendable {
  // The watch in C, which only `deinit` ends.
  nonisolated(unsafe) private let watch: OpaquePointer

  /// Starts the thread; nil if no thread can be created. A threshold of zero disables the watch of the main
  /// queue, the pools or the event loops.
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

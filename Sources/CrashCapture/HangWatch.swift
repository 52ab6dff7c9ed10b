internal import CCrashHandler

/// A watch over the main queue, which ends with this value.
final class HangWatch: Sendable {
  // Ended only by `deinit`; the C side runs on a thread of its own.
  nonisolated(unsafe) private let watch: OpaquePointer

  /// Nil where there is no main queue to watch; with a threshold of zero it is not watched, only the rest.
  init?(log: OpaquePointer, threshold: Duration) {
    guard let watch = ms_hang_watch_begin(log, threshold.nanoseconds) else { return nil }
    self.watch = watch
  }

  deinit { ms_hang_watch_end(watch) }
}

internal import CRecorder
internal import Dispatch

/// The queue that UI work belongs to.
///
/// The main queue is not the main thread: on Linux, under `dispatchMain()` or an async `main`, its work runs
/// on worker threads.
public enum MainQueue {
  /// True if code that belongs to the main queue may run here.
  ///
  /// The verdict is that of `dispatchPrecondition(condition: .onQueue(.main))`, without the trap.
  public static var isCurrent: Bool { ms_queue_on_main() }

  /// The reason why a `false` verdict may be wrong; nil if every verdict is exact.
  ///
  /// Verdicts are exact if libdispatch's layout was learned and verified at start. Otherwise a `true` verdict is
  /// reliable, and `false` means "unknown".
  package static var doubt: String? {
    ms_queue_fallback_reason().map { String(cString: $0) }
  }

  /// The Swift wrapper of the main queue. The getter of `DispatchQueue.main` creates a new wrapper at each
  /// call.
  static let queue = DispatchQueue.main
}

import Dispatch

internal import CTestProcess

/// Detects that an awaited event depends on work that the storm holds: the whole process has then
/// been idle for a second. The speed of the machine does not matter, because a runnable thread
/// without a processor counts as busy.
enum StallDetector {
  private static let step = DispatchTimeInterval.milliseconds(25)
  private static let most = 40
  /// The number of idle checks that one busy check cancels: a thread that runs briefly now and then
  /// is no progress.
  private static let setback = 8

  /// Waits for an event. Returns false if the process is idle, or if the wait exceeds `patience`.
  ///
  /// - Parameter comes: Waits for the event until the given time, and returns true if it occurred.
  static func completes(
    within patience: DispatchTimeInterval, _ comes: (DispatchTime) -> Bool
  ) -> Bool {
    let deadline = DispatchTime.now() + patience
    var rested = 0
    while rested < most {
      if comes(min(deadline, .now() + step)) { return true }
      if DispatchTime.now() >= deadline { return false }
      rested = ms_process_rests() ? rested + 1 : max(rested - setback, 0)
    }
    return false
  }
}
